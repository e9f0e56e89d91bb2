/// All that notifications go by: from the settings.
public struct NotificationPlan: Sendable {
  /// The rules, in the settings' order.
  public var rules: [AlertRule] = []
  /// The notifiers by name.
  public var notifiers: [String: NotifierEntry] = [:]
  /// Milliseconds after which what is over is removed.
  public var keep: Int64 = 90 * 86_400_000
  /// The agent's name in notices.
  public var agent = ""
  /// Where the alert of this number can be looked at; nil when nowhere.
  public var link: @Sendable (Int64) -> String? = { _ in nil }
  /// Takes what is secret out of a text.
  public var redact: @Sendable (String) -> String = { $0 }

  /// Nothing is told.
  public init() {}

  func rule(_ name: String) -> AlertRule? { rules.first { $0.name == name } }
}

/// A notifier, and how it is used.
public struct NotifierEntry: Sendable {
  /// What it is, for people: `webhook`, `command`, …
  public let type: String
  /// Where it leads, for people, without anything secret.
  public let target: String
  /// What delivers.
  public let notifier: any Notifier
  /// How often it is tried.
  public var attempts = 10
  /// Milliseconds after the first failure.
  public var initialBackoff: Int64 = 5_000
  /// The most milliseconds between two attempts.
  public var maxBackoff: Int64 = 3_600_000
  /// Milliseconds an attempt may take.
  public var timeout: Int64 = 10_000
  /// How many are delivered at once.
  public var concurrency = 2

  /// A notifier with defaults.
  public init(type: String, target: String = "", notifier: any Notifier) {
    self.type = type
    self.target = target
    self.notifier = notifier
  }
}
