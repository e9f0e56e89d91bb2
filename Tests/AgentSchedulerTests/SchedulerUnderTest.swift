import AgentScheduler
import AgentSchedules
import AgentStore
import AgentTasks
import AgentTasksTesting
import Synchronization
import TestSupport

/// A scheduler on an engine of its own, whose clock a test moves.
final class SchedulerUnderTest: Sendable {
  let base: EngineUnderTest
  let scheduler: Scheduler
  let notices = NoticeLog()
  private let running: Mutex<Task<Void, any Error>?>

  var clock: TestTime { base.clock }

  private init(_ base: EngineUnderTest) {
    self.base = base
    let (clock, zones) = (base.clock, Self.zones)
    scheduler = Scheduler(
      engine: base.engine, zone: { name throws(TimeZoneError) in try zones.zone(named: name) },
      pause: { try await clock.pause($0) }, now: { clock.now }, log: { _, _ in })
    running = Mutex(nil)
  }

  private static let zones = TimeZoneDatabase()

  /// - Parameters:
  ///   - former: whose database it goes on with.
  ///   - store: what it works on, if not the database itself.
  static func started(
    owner: String = "first", after former: SchedulerUnderTest? = nil,
    on store: (SQLiteStore) -> any Store = { $0 }
  ) async throws -> SchedulerUnderTest {
    let base = try await EngineUnderTest.started(owner: owner, after: former?.base)
    let test = SchedulerUnderTest(base)
    test.scheduler.observe { [notices = test.notices] in notices.add($0) }
    let (scheduler, store) = (test.scheduler, store(base.store))
    let run = Task { try await scheduler.run(store) }
    test.running.withLock { $0 = run }
    try await wait(while: (try? await scheduler.schedules(ScheduleSelection())) == nil)
    return test
  }

  /// Ends it as the host does.
  func stop() async {
    let run = running.withLock { $0 }
    run?.cancel()
    _ = try? await run?.value
    await base.stop()
  }

  /// Ends the test.
  func remove() async {
    let run = running.withLock { $0 }
    run?.cancel()
    _ = try? await run?.value
    await base.remove()
  }

  /// A schedule of the puppet's.
  func create(
    _ name: String = "s", _ timing: ScheduleDefinition.Timing = .every("1m"),
    change: (inout ScheduleDefinition) -> Void = { _ in }
  ) async throws -> ScheduleRow {
    var definition = ScheduleDefinition(timing, task: ScheduledTask(type: "puppet"))
    change(&definition)
    return try await scheduler.create(ScheduleDraft(name: name, definition), by: "test")
  }

  /// What became of its times, the earliest first.
  func fires(_ name: String = "s") async throws -> [ScheduleFire] {
    try await scheduler.fires(of: name, before: nil, limit: 1_000).reversed()
  }

  /// Returns once `count` of its times are decided; returns what there is when that takes too long.
  func decided(_ count: Int, _ name: String = "s") async throws -> [ScheduleFire] {
    // By time and not by turns: a busy machine needs more of them.
    let end = ContinuousClock.now + .seconds(60)
    while true {
      let fires = try await fires(name)
      if fires.count >= count || ContinuousClock.now > end { return fires }
      clock.wake()
    }
  }

  /// Returns once a schedule waits for its next time, after what has passed.
  func settled(_ name: String = "s") async throws -> ScheduleRow {
    while true {
      let row = try await scheduler.schedule(name)
      if row.wake ?? .max > clock.now { return row }
      clock.wake()
    }
  }

  /// A schedule's tasks, by number.
  func tasks(_ id: Int64) async throws -> [TaskRow] {
    try await base.engine.tasks(
      TaskSelection(schedule: id, isDescending: false, limit: 2_000))
  }
}

/// What a scheduler has published.
final class NoticeLog: Sendable {
  private let entries = Mutex<[String]>([])
  var all: [String] { entries.withLock { $0 } }

  func add(_ notices: [ScheduleNotice]) {
    let words = notices.map { notice in
      switch notice {
      case .created: "created"
      case .changed: "changed"
      case .deleted: "deleted"
      case .decided(_, let fire, _): fire.outcome
      }
    }
    entries.withLock { $0 += words }
  }
}

/// A store that fails a write now and then, as a seed says: before anything was stored, or after all
/// of it was, so that nobody knows.
final class UncertainStore: Store {
  struct Refused: Error {}

  private let store: SQLiteStore
  private let random: Mutex<UInt64>

  init(_ store: SQLiteStore, seed: UInt64) {
    self.store = store
    random = Mutex(seed)
  }

  private func dice() -> UInt64 {
    random.withLock { state in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
  }

  func submit<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    switch dice() % 4 {
    case 0: completion(.failure(Refused()))
    case 1: store.submit(kind, body) { _ in completion(.failure(Refused())) }
    default: store.submit(kind, body, completion: completion)
    }
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
  ) async throws -> Value {
    try await store.read(body)
  }

  var condition: StoreCondition { store.condition }
  var statistics: StoreStatistics { store.statistics }
  func close() async { await store.close() }
}
