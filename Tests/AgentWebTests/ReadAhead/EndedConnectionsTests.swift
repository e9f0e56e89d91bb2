import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import AgentWeb

/// What is logged of connections that the budget ends.
@Suite struct EndedConnectionsTests {
  private final class Bench: Sendable {
    let now = Mutex(Duration.seconds(5))
    let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock(\.self) }
  }

  private let bench = Bench()
  private let ended: EndedConnections

  init() {
    ended = EndedConnections(
      now: { [bench] in bench.now.withLock(\.self) },
      log: { [bench] line in bench.lines.withLock { $0.append(line) } })
  }

  private func end(_ peer: String?, bytes: Int = 40) {
    ended.add(EndedConnection(peer: peer, bytes: bytes, maxBytes: 100))
  }

  @Test func `a line names the client and what it had sent`() {
    end("192.0.2.1:17")
    end(nil)
    #expect(
      bench.all
        == ["192.0.2.1:17", "a client"].map {
          "The connection of \($0) was closed: it had sent 40 bytes ahead of its requests or events. "
            + "All clients together may send 100 bytes ahead."
        })
  }

  @Test func `more connections than ten a minute are counted in the next line`() {
    for number in 1...25 { end("192.0.2.1:\(number)") }
    #expect(bench.all.count == 10)
    bench.now.withLock { $0 += .seconds(59) }
    end("192.0.2.1:26")
    #expect(bench.all.count == 10)
    bench.now.withLock { $0 += .seconds(1) }
    end("192.0.2.2:1")
    end("192.0.2.2:2")
    #expect(bench.all.count == 12)
    #expect(bench.all[10].hasPrefix("The connection of 192.0.2.2:1 was closed:"))
    #expect(bench.all[10].hasSuffix("16 more were closed before it."))
    #expect(bench.all[11].hasSuffix("ahead."))
  }

  @Test func `the address is that of the client, on both ports`() throws {
    let budget = ReadAheadBudget(maxBytes: 64 << 10, ended: { [ended] in ended.add($0) })
    for number in 1...2 {
      let channel = EmbeddedChannel()
      let pipeline = channel.pipeline.syncOperations
      if number == 1 {
        try pipeline.addHandler(ReadAheadHandler(budget))
      } else {
        try pipeline.addHandler(EventReadAheadHandler(EventReadAhead(channel, budget)))
      }
      try channel.connect(to: SocketAddress(ipAddress: "192.0.2.\(number)", port: 17)).wait()
      _ = try? channel.writeInbound(ByteBuffer(repeating: 0x20, count: 70_000))
      let line = bench.all.last ?? ""
      #expect(line.hasPrefix("The connection of 192.0.2.\(number):17 was closed"), "\(line)")
      #expect(bench.all.count == number)
      channel.embeddedEventLoop.run()
      _ = try? channel.finish(acceptAlreadyClosed: true)
    }
  }
}
