internal import AgentEvents
internal import AgentLogging
internal import AgentSettings
internal import AgentStore
internal import Synchronization

/// Removes old events from the log once a minute.
///
/// Rationale: there are two bounds of bytes. `maxTotalBytes` is what the log itself may have; the
/// cap of ``StorageBudget`` is there while the whole file is nearly full, whatever else fills it.
final class EventRetention: Sendable {
  private static let interval = Duration.seconds(60)

  private let settings: CurrentSettings
  private let database: HostDatabase
  private let events: EventBus
  private let log: LogHub
  private let lastProblem = Mutex<String?>(nil)

  init(settings: CurrentSettings, database: HostDatabase, events: EventBus, log: LogHub) {
    self.settings = settings
    self.database = database
    self.events = events
    self.log = log
  }

  /// Why old events could not be removed the last time, or why that isn't enough.
  var problem: String? { lastProblem.withLock { $0 } }

  /// Removes events by the settings' retention until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      let problem: String?
      do {
        problem = try await removeOld()
      } catch {
        let failure = "Old events could not be removed. \(error)"
        log.log(.warning, failure)
        problem = failure
      }
      lastProblem.withLock { $0 = problem }
      try? await Task.sleep(for: Self.interval)
    }
  }

  /// - Returns: what is wrong although events were removed.
  func removeOld() async throws -> String? {
    let settings = settings.value.events
    // Anew each time: other data than events fills the file as well.
    let cap = try await cap()
    let isAlarming = try await budget()?.isAlarming ?? false
    if isAlarming { try await warnOfConsumers() }
    let maxBytes = settings.maxTotalBytes > 0 ? Int64(clamping: settings.maxTotalBytes) : nil
    let removed = try await events.retain(maxBytes: maxBytes, keepsForConsumers: !isAlarming) {
      Self.rule(for: $0, settings, cap)
    }
    if removed > 0 { log.log(.info, "\(removed) old events were removed from the log.") }
    // After the removal, which may have made space.
    guard let budget = try await budget(), budget.isAlarming else { return nil }
    return "The database has \(budget.text), and old events are removed already. Raise "
      + "store.max_bytes, or keep less: tasks.keep_days, notifications.keep_days."
  }

  /// The most bytes that one type of event may have now; nil while there is space. Logs a warning
  /// when it removes events.
  private func cap() async throws -> Int64? {
    guard let budget = try await budget(), budget.excess > 0 else { return nil }
    // Only with an excess: the sizes of the types are a query of their own.
    let cap = budget.cap(of: try await events.types().map(\.bytes))
    log.log(
      .warning,
      "The database has \(budget.text) (store.max_bytes): old events of the largest types are "
        + "removed, although their own limits would keep them.")
    return cap
  }

  /// Says which consumers lose events.
  ///
  /// Rationale: a consumer that takes nothing could fill the database within minutes, and nothing
  /// else could be stored for a week.
  private func warnOfConsumers() async throws {
    let behind = try await events.consumers().filter { $0.behind > 0 }.map(\.name)
    guard !behind.isEmpty else { return }
    log.log(
      .warning,
      "The database is so full that old events are removed although consumers need them. They may "
        + "miss events: \(behind.prefix(20).joined(separator: ", ")).")
  }

  private func budget() async throws -> StorageBudget? {
    guard let store = database.store else { return nil }
    return StorageBudget(
      limit: Int64(settings.value.store.maxBytes), try await store.fileStatistics())
  }

  /// - Parameter cap: the most bytes of any type, while the whole file is nearly full.
  private static func rule(
    for type: String, _ settings: EventSettings, _ cap: Int64?
  ) -> EventRetentionRule {
    let limits = settings.retention(of: type)
    let bytes = [limits.maxBytes.map { Int64(clamping: $0) }, cap].compactMap { $0 }.min()
    return EventRetentionRule(
      type: type, age: limits.maxAgeDays.flatMap { Self.milliseconds(days: $0) },
      count: limits.maxEvents.map { Int64(clamping: $0) }, bytes: bytes)
  }

  /// Nil for more than the clock can count, which is as good as for ever.
  private static func milliseconds(days: Double) -> Int64? {
    Int64(exactly: (max(0, days) * 86_400_000).rounded())
  }
}
