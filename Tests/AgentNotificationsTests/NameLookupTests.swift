import AgentSystem
import Synchronization
import Testing

@testable import AgentNotifications

@Suite struct NameLookupTests {
  /// Threads whose look-ups end when a test says so.
  private final class HeldThreads: Sendable {
    private let held = Mutex<[@Sendable () -> Void]>([])

    var count: Int { held.withLock { $0.count } }

    func start(_ body: @escaping @Sendable () -> Void) {
      held.withLock { $0.append(body) }
    }

    func finishAll() {
      let bodies = held.withLock { held -> [@Sendable () -> Void] in
        defer { held = [] }
        return held
      }
      for body in bodies { body() }
    }
  }

  private func lookup(_ threads: HeldThreads) -> NameLookup {
    NameLookup(
      limits: .init(threads: 4, domainThreads: 4, waiting: 8), known: { _ in nil },
      ask: { _ in .success([NetworkAddress(bytes: [127, 0, 0, 9])]) },
      thread: { threads.start($0) })
  }

  private func queue() -> LookupQueue {
    LookupQueue(limits: .init(threads: 3, domainThreads: 2, waiting: 2))
  }

  @Test(.timeLimit(.minutes(5)))
  func `a request ends when its time is over, also if its name server doesn't answer`()
    async throws
  {
    let threads = HeldThreads()
    var call = WebCall(url: "http://a.slow.test/")
    call.lookup = lookup(threads)
    call.timeout = 50
    let failure = await #expect(throws: DeliveryFailure.self) { _ = try await call.send() }
    #expect(failure?.message.contains("it didn't respond in time") == true)
    // The thread is left, and its late answer does no harm.
    #expect(threads.count == 1)
    threads.finishAll()
  }

  @Test(.timeLimit(.minutes(5)))
  func `a look-up has the addresses that the system has found`() async throws {
    let threads = HeldThreads()
    let names = lookup(threads)
    let addresses = Task { try await names.addresses(of: "a.test") }
    try await eventually { threads.count == 1 }
    threads.finishAll()
    #expect(try await addresses.value == ["127.0.0.9"])
  }

  @Test func `a domain gets only its share of the threads`() {
    var queue = queue()
    func add(_ number: Int, _ name: String) -> [String] {
      queue.add(LookupQueue.Answer(), number: number, for: name).starts
    }
    #expect(add(1, "a.slow.test") == ["a.slow.test"])
    #expect(add(2, "b.slow.test") == ["b.slow.test"])
    #expect(add(3, "c.slow.test") == [])
    // The same name shares a look-up.
    #expect(add(4, "a.slow.test") == [])
    #expect(add(5, "hook.example") == ["hook.example"])
    #expect(add(6, "other.example") == [])
    let actions = queue.finish("a.slow.test", with: .success([]))
    #expect(actions.replies.count == 2 && actions.starts == ["c.slow.test"])
    #expect(queue.finish("b.slow.test", with: .success([])).starts == ["other.example"])
  }

  @Test func `a look-up fails at once when all threads of its domain are left to finish`() {
    var queue = queue()
    for (number, name) in [(1, "a.slow.test"), (2, "b.slow.test"), (3, "c.slow.test")] {
      _ = queue.add(LookupQueue.Answer(), number: number, for: name)
    }
    #expect(queue.remove(1, for: "a.slow.test").replies.count == 0)
    // The last caller with a thread goes, so that the one in the queue has nothing to wait for.
    #expect(queue.remove(2, for: "b.slow.test").replies.count == 1)
    let refused = queue.add(LookupQueue.Answer(), number: 4, for: "d.slow.test")
    #expect(refused.starts.isEmpty && refused.replies.count == 1)
    #expect(throws: DeliveryFailure.self) { try refused.replies.first?.found.get() }
    // Others aren't affected, and a thread that returns serves the domain again.
    #expect(queue.add(LookupQueue.Answer(), number: 5, for: "b.test").starts == ["b.test"])
    #expect(queue.finish("a.slow.test", with: .success([])).replies.count == 0)
    let again = queue.add(LookupQueue.Answer(), number: 6, for: "d.slow.test")
    #expect(again.starts == ["d.slow.test"])
  }

  @Test func `the names that wait are bounded, and a caller that goes leaves the queue`() {
    var queue = queue()
    let names = ["a", "b", "c", "d", "e"].map { "\($0).slow.test" }
    let replies = names.enumerated().map { number, name in
      queue.add(LookupQueue.Answer(), number: number, for: name).replies.count
    }
    #expect(replies == [0, 0, 0, 0, 1])
    #expect(queue.remove(2, for: "c.slow.test").replies.count == 0)
    #expect(queue.finish("a.slow.test", with: .success([])).starts == ["d.slow.test"])
  }

  @Test func `addresses and the names of the hosts file need no name server`() {
    let file = HostsFile(
      Array("# 1.1.1.1 a\n127.0.0.1 localhost Hook.Example # b\n::1\tlocalhost\n".utf8))
    #expect(file.addresses(of: "localhost").map(\.text) == ["127.0.0.1", "::1"])
    #expect(file.addresses(of: "hook.example.").map(\.text) == ["127.0.0.1"])
    #expect(file.addresses(of: "a").isEmpty && file.addresses(of: "b").isEmpty)
    #expect(HostLookup.known("127.1")?.map(\.text) == ["127.0.0.1"])
    #expect(HostLookup.known("::1")?.map(\.text) == ["::1"])
    #expect(HostLookup.known("a.slow.test") == nil)
  }
}
