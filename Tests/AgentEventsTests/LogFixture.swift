import AgentEvents
import AgentJSON
import AgentStore
import Glibc
import Synchronization
import Testing

/// A bus on a store in a folder of its own, which can be opened again.
final class LogFixture: Sendable {
  let folder: String
  let clock = Moment(1_000_000)

  init() throws {
    var template = Array("/tmp/agent-events-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in ["", "-wal", "-shm", ".lock"] { unlink("\(folder)/store.db\(name)") }
    rmdir(folder)
  }

  /// A bus, and the store below it.
  func open() async throws -> (EventBus, SQLiteStore) {
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder)/store.db"))
    let clock = clock
    let bus = EventBus(awaitsLog: true, steady: { clock.steady }, now: { clock.now })
    try await bus.open(store)
    return (bus, store)
  }
}

/// Takes what a subscription has, and can be waited for.
final class Collector: Sendable {
  private struct State {
    var numbers: [Int] = []
    var dropped: UInt64 = 0
    var wanted = Int.max
    var waiter: CheckedContinuation<Void, Never>?
  }
  private let state = Mutex(State())

  /// The member `n` of every event so far.
  var numbers: [Int] { state.withLock { $0.numbers } }
  var dropped: UInt64 { state.withLock { $0.dropped } }

  func take(_ subscription: EventSubscription, _ most: Int = .max) {
    let waiter = state.withLock { state in
      // Within the lock: it may be told on two threads at once.
      let (events, dropped) = subscription.take(most)
      state.numbers += events.compactMap { $0.field("n")?.int }
      state.dropped += dropped
      guard state.numbers.count >= state.wanted else {
        return Optional<CheckedContinuation<Void, Never>>.none
      }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Waits until there are `count`.
  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        state.wanted = count
        if state.numbers.count >= count { return true }
        state.waiter = continuation
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}

func numbered(_ range: ClosedRange<Int>, type: String = "n") -> [JSONObject] {
  range.map { ["type": .string(type), "n": .number(JSONNumber($0))] }
}
