internal import AgentQueries
internal import Synchronization

/// The plan in force, the clock and the log, which the parts of this target share.
final class NotificationContext: Sendable {
  let now: @Sendable () -> Int64
  let pause: @Sendable (Duration) async throws -> Void
  let log: @Sendable (NotificationLogLevel, String) -> Void
  /// Counts an attempt: the notifier, and what became of it.
  let count: @Sendable (String, String) -> Void
  /// The limits of the queries of rules.
  let queryTiming: QueryTiming
  private let current = Mutex(NotificationPlan())
  /// Why the query of a rule doesn't run, by the rule's name.
  private let failing = Mutex<[String: String]>([:])

  init(
    queryTiming: QueryTiming = QueryTiming(),
    now: @escaping @Sendable () -> Int64,
    pause: @escaping @Sendable (Duration) async throws -> Void,
    log: @escaping @Sendable (NotificationLogLevel, String) -> Void,
    count: @escaping @Sendable (String, String) -> Void
  ) {
    self.queryTiming = queryTiming
    self.now = now
    self.pause = pause
    self.log = log
    self.count = count
  }

  var plan: NotificationPlan {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  /// Why the queries of rules don't run, by the rule's name.
  var queryTroubles: [String: String] { failing.withLock { $0 } }

  /// Notes why the query of a rule doesn't run.
  /// - Returns: whether it ran until now.
  func report(_ trouble: String, ofQuery rule: String) -> Bool {
    failing.withLock { $0.updateValue(trouble, forKey: rule) == nil }
  }

  /// The query of a rule runs, or isn't to run any more.
  func clearTrouble(ofQuery rule: String) {
    _ = failing.withLock { $0.removeValue(forKey: rule) }
  }

  /// Tries until it works or the task is cancelled: what nobody else would do again.
  func untilDone(_ complaint: String, _ work: () async throws -> Void) async {
    var hasComplained = false
    while !Task.isCancelled {
      do {
        return try await work()
      } catch {
        if !hasComplained { log(.warning, "\(complaint). \(error) The host retries.") }
        hasComplained = true
        if (try? await pause(.seconds(2))) == nil { return }
      }
    }
  }
}

/// How much a line of the log matters.
public enum NotificationLogLevel: Sendable, Hashable {
  case info
  case warning
  case error
}
