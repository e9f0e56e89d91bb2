import AgentJSON
import AgentKit
import AgentKitTesting
import Testing

@Suite struct SlidingWindowsTests {
  private let host = TestHost()
  private let window = SlidingWindow(
    of: ["A", "B"], index: .mnemonic("ETIM", unit: .seconds(1)), duration: .seconds(10),
    patience: .seconds(60))

  @Test func `a window slides over the rows of a query until it ends`() async throws {
    let windows = host.host.events.windows(window, over: "raw => *", span: "last minute")
    async let updates = windows.reduce(into: []) { $0.append($1) }
    #expect(await host.queried().map(\.span) == ["last minute"])
    host.give(["ETIM": 1, "A": 1, "B": 2], ["ETIM": 2, "A": 1], ["ETIM": 3, "A": 3, "B": 4])
    host.endQueries()
    let all = try await updates
    #expect(all.count == 3)
    #expect(all[1] == .skipped(.incomplete(["B"])))
    guard case .moved(let last) = all[2] else {
      Issue.record("the last row isn't in the window")
      return
    }
    #expect(last.numbers("A") == [1, 3] && last.numbers("B") == [2, 4])
  }

  @Test func `missing mnemonics are reported while no rows come, and so is their return`()
    async throws
  {
    let windows = host.host.events.windows(window, over: "raw => *", span: "now")
    var updates = windows.makeAsyncIterator()
    async let clock: Void = advanceTheClock(times: 4)
    #expect(try await updates.next() == .missing(["A", "B"]))
    await clock
    host.give(["ETIM": 1, "A": 1])
    #expect(try await updates.next() == .skipped(.incomplete(["B"])))
    #expect(try await updates.next() == .returned(["A"]))
    host.endQueries()
  }

  private func advanceTheClock(times: Int) async {
    for _ in 0..<times {
      await host.clock.someoneSleeps()
      host.clock.advance(by: .seconds(15))
    }
  }

  @Test func `a refused query throws the host's error`() async throws {
    let refusal = ModuleError(.invalidArgument, "query:1:5: no.")
    var updates = host.host.events.windows(window, over: "a => x(", span: "now").makeAsyncIterator()
    await host.queried()
    host.failQueries(with: refusal)
    await #expect { _ = try await updates.next() } throws: { error in
      (error as? ModuleError)?.message == refusal.message
    }
  }

  @Test func `cancelling the loop ends the query`() async throws {
    let windows = host.host.events.windows(window, over: "raw => *", span: "now")
    let loop = Task { for try await _ in windows {} }
    await host.queried()
    loop.cancel()
    await #expect(throws: CancellationError.self) { try await loop.value }
  }
}
