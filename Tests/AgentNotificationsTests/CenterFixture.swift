import AgentEvents
import AgentJSON
import AgentMetrics
import AgentNotifications
import AgentQueries
import AgentStore
import Glibc
import Synchronization
import Testing

/// A notification center on a bus and a store of its own, whose clock a test moves.
final class CenterFixture: Sendable {
  let folder: String
  let clock = TestClock()
  let metrics = MetricsRegistry()
  let logged = Mutex<[String]>([])
  /// The database, while a center runs.
  let opened = Mutex<(any Store)?>(nil)
  private let wrap: @Sendable (any Store) -> any Store
  private let queryTiming: QueryTiming

  /// - Parameters:
  ///   - queryTiming: the limits of the queries of rules.
  ///   - wrap: puts something between the center and its database.
  init(
    queryTiming: QueryTiming = QueryTiming(),
    wrap: @escaping @Sendable (any Store) -> any Store = { $0 }
  ) throws {
    self.queryTiming = queryTiming
    self.wrap = wrap
    var template = Array("/tmp/agent-notifications-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in ["", "-wal", "-shm", ".lock"] { unlink("\(folder)/store.db\(name)") }
    rmdir(folder)
  }

  /// Runs a center for the time of `body`; a second time it finds what the first has left.
  func run(
    _ plan: NotificationPlan,
    _ body: (NotificationCenter, EventBus) async throws -> Void
  ) async throws {
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder)/store.db"))
    opened.withLock { $0 = store }
    defer { opened.withLock { $0 = nil } }
    let clock = clock
    let bus = EventBus(
      awaitsLog: true, pause: { try await clock.pause($0) }, steady: { clock.steady },
      now: { clock.now })
    try await bus.open(store)
    let center = NotificationCenter(
      metrics: metrics, queryTiming: queryTiming, pause: { try await clock.pause($0) },
      now: { clock.now }
    ) { [weak self] _, message in self?.logged.withLock { $0.append(message) } }
    center.apply(plan)
    // A query has no consumer that shows that it runs.
    if plan.rules.contains(where: { if case .rows = $0.when { true } else { false } }) {
      try await center.prepare(store)
    }
    let seen = wrap(store)
    let work = Task { await center.run(bus, seen) }
    do {
      // The consumer is registered: from now on nothing is missed.
      if plan.rules.contains(where: { if case .events = $0.when { true } else { false } }) {
        try await eventually { try await !bus.consumers().isEmpty }
      }
      // It may be there from a former run, before this one has the database.
      try await eventually { (try? await center.notifiers()) != nil }
      try await body(center, bus)
    } catch {
      work.cancel()
      await work.value
      await store.close()
      throw error
    }
    work.cancel()
    await work.value
    await store.close()
  }
}

extension CenterFixture {
  /// Stores events while no center runs, as an agent without its rules would.
  func store(_ events: [JSONObject]) async throws {
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder)/store.db"))
    let clock = clock
    let bus = EventBus(awaitsLog: true, now: { clock.now })
    do {
      try await bus.open(store)
      _ = try await bus.store(events, source: "x")
    } catch {
      await store.close()
      throw error
    }
    await store.close()
  }

  /// Lets time go by, step by step, until something has come about: who waits may begin to do so
  /// a moment after the time has come.
  func letPass(
    _ step: Int64, until condition: () async throws -> Bool,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    try await eventually(
      {
        clock.advance(by: step)
        for _ in 0..<5 {
          if try await condition() { return true }
          try await Task.sleep(for: .milliseconds(2))
        }
        return false
      }, at: location)
  }
}

/// Waits for what comes about on other threads.
func eventually(
  _ condition: () async throws -> Bool, at location: SourceLocation = #_sourceLocation
) async throws {
  let clock = ContinuousClock()
  let end = clock.now + .seconds(240)
  while try await !condition() {
    guard clock.now < end else {
      Issue.record("it didn't come about", sourceLocation: location)
      throw CancellationError()
    }
    try await Task.sleep(for: .milliseconds(2))
  }
}

/// A clock that goes when a test says so; who waits for it is woken then.
final class TestClock: Sendable {
  private struct State {
    var now: Int64 = 1_000_000
    /// By how much somebody has set the clock.
    var jumped: Int64 = 0
    var number = 0
    var waiting: [Int: (due: Int64, continuation: CheckedContinuation<Void, any Error>)] = [:]
  }

  private let state = Mutex(State())

  var now: Int64 { state.withLock { $0.now } }

  /// A clock that nobody sets.
  var steady: Duration { state.withLock { .milliseconds($0.now - $0.jumped) } }

  /// Whether somebody waits for `milliseconds` from now.
  func hasSleeper(of milliseconds: Int64) -> Bool {
    state.withLock { state in
      state.waiting.values.contains { $0.due == state.now + milliseconds }
    }
  }

  /// Somebody sets the clock; whoever waits goes on waiting.
  func jump(by milliseconds: Int64) {
    state.withLock { state in
      state.now += milliseconds
      state.jumped += milliseconds
      for id in state.waiting.keys { state.waiting[id]?.due += milliseconds }
    }
  }

  func advance(by milliseconds: Int64) {
    let due = state.withLock { state in
      state.now += milliseconds
      let due = state.waiting.filter { $0.value.due <= state.now }
      for id in due.keys { state.waiting[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  func pause(_ duration: Duration) async throws {
    let parts = duration.components
    let milliseconds = parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          if Task.isCancelled { return true }
          state.waiting[number] = (state.now + milliseconds, continuation)
          return false
        }
        if isOver { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let waiting = state.withLock { $0.waiting.removeValue(forKey: number) }
      waiting?.continuation.resume(throwing: CancellationError())
    }
  }
}

/// Remembers what it was given; fails as often as it was told to.
final class RecordingNotifier: Notifier {
  private struct State {
    var notices: [Notice] = []
    var failures: [DeliveryFailure] = []
    var isStuck = false
  }

  private let state = Mutex(State())

  init(failing failures: [DeliveryFailure] = [], stuck: Bool = false) {
    state.withLock { ($0.failures, $0.isStuck) = (failures, stuck) }
  }

  /// All that was tried.
  var notices: [Notice] { state.withLock { $0.notices } }

  func deliver(_ notice: Notice) async throws {
    let (failure, isStuck) = state.withLock { state in
      state.notices.append(notice)
      return (state.failures.isEmpty ? nil : state.failures.removeFirst(), state.isStuck)
    }
    if isStuck { try await Task.sleep(for: .seconds(3600)) }
    if let failure { throw failure }
  }
}

extension NotificationPlan {
  /// One notifier `n`, and a rule for events.
  static func simple(
    _ notifier: any Notifier, when filter: String = "alert",
    _ change: (inout AlertRule) throws -> Void = { _ in }
  ) throws -> NotificationPlan {
    var plan = NotificationPlan()
    var rule = AlertRule(name: "r", when: .events(try EventFilter(parsing: filter)))
    rule.notifiers = ["n"]
    try change(&rule)
    plan.rules = [rule]
    plan.notifiers["n"] = NotifierEntry(type: "test", notifier: notifier)
    // One after the other, so that their order is known.
    plan.notifiers["n"]?.concurrency = 1
    plan.agent = "shop"
    return plan
  }
}
