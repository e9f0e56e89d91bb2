/// The rules, notifiers and limits of notifications, made from the settings.
public struct NotificationPlan: Sendable {
  /// The rules, in the settings' order.
  public var rules: [AlertRule] = []
  /// The notifiers by name.
  public var notifiers: [String: NotifierEntry] = [:]
  /// Milliseconds after which ended alerts are removed.
  public var keep: Int64 = 90 * 86_400_000
  /// The agent's name in notices.
  public var agent = ""
  /// The URL of the alert with this number, or nil where there is none.
  public var link: @Sendable (Int64) -> String? = { _ in nil }
  /// Removes secrets from a text.
  public var redact: @Sendable (String) -> String = { $0 }

  /// Makes a plan without rules.
  public init() {}

  func rule(_ name: String) -> AlertRule? { rules.first { $0.name == name } }
}

/// A notifier and its delivery settings.
public struct NotifierEntry: Sendable {
  /// The type for people: `webhook`, `command`, …
  public let type: String
  /// The receiver for people, without secrets.
  public let target: String
  public let notifier: any Notifier
  /// The maximum number of attempts.
  public var attempts = 10
  /// Milliseconds between the first failure and the second attempt.
  public var initialBackoff: Int64 = 5_000
  /// The maximum time between two attempts, in milliseconds.
  public var maxBackoff: Int64 = 3_600_000
  /// The maximum time of an attempt, in milliseconds.
  public var timeout: Int64 = 10_000
  /// The maximum number of simultaneous deliveries.
  public var concurrency = 2

  /// A notifier with defaults.
  public init(type: String, target: String = "", notifier: any Notifier) {
    self.type = type
    self.target = target
    self.notifier = notifier
  }
}
