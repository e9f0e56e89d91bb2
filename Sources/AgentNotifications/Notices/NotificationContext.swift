internal import Synchronization

/// The plan in force, the clock and the log, which the parts of this target share.
final class NotificationContext: Sendable {
  let now: @Sendable () -> Int64
  let pause: @Sendable (Duration) async throws -> Void
  let log: @Sendable (NotificationLogLevel, String) -> Void
  /// Counts an attempt: the notifier, and what became of it.
  let count: @Sendable (String, String) -> Void
  private let current = Mutex(NotificationPlan())

  init(
    now: @escaping @Sendable () -> Int64,
    pause: @escaping @Sendable (Duration) async throws -> Void,
    log: @escaping @Sendable (NotificationLogLevel, String) -> Void,
    count: @escaping @Sendable (String, String) -> Void
  ) {
    self.now = now
    self.pause = pause
    self.log = log
    self.count = count
  }

  var plan: NotificationPlan {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
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
