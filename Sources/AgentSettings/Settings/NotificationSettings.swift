/// `notifications`: the rules that open alerts, and the notifiers that deliver notices.
public struct NotificationSettings: Sendable, Hashable {
  /// The rules that open alerts, in the settings' order.
  public var rules: [NotificationRuleSettings] = []
  /// The notifiers beside the built-in ones, sorted by name.
  public var notifiers: [NotifierSettings] = []
  /// The number of days before a resolved alert is removed.
  public var keepDays: Double = 90

  public init() {}
}

/// An entry of `notifications.rules`.
public struct NotificationRuleSettings: Sendable, Hashable {
  /// The condition that opens or resolves an alert.
  public enum Trigger: Sendable, Hashable {
    /// An event that matches the filter.
    case event(String)
    /// A row that the query returns.
    case query(String)
  }

  /// How the severity of an alert is determined.
  public struct Severity: Sendable, Hashable {
    /// The lowest severity that opens an alert.
    public var least = "info"
    /// The event field that holds the severity.
    public var field = "severity"
    /// The severities that values of the field stand for.
    public var map: [String: String] = [:]
    /// The severity if the field has no known value.
    public var fallback = "warning"

    public init() {}
  }

  /// The time of day when notices wait.
  public struct QuietHours: Sendable, Hashable {
    /// The first minute of the quiet hours, counted from midnight.
    public var from: Int
    /// The first minute after the quiet hours, counted from midnight.
    public var to: Int
    public var timeZone: String
    /// The lowest severity that is sent during quiet hours. Nil means that nothing is sent.
    public var except: String?
  }

  /// The name, unique among the rules.
  public let name: String
  /// The condition that opens an alert.
  public let when: Trigger
  /// The condition that resolves it. Nil means the counterpart of the event itself.
  public let until: Trigger?
  public let severity: Severity
  /// The notifiers: `log`, `console`, a name, or MODULE/NOTIFIER.
  public let to: [String]
  public let quietHours: QuietHours?
  /// The time between two notices of an open alert, in milliseconds. Nil means that a notice isn't
  /// repeated.
  public let repeatMs: Int64?
  /// The fields that group events. Events with equal values belong to one alert.
  public let group: [String]
  /// The time before the first notice, in milliseconds.
  public let groupWaitMs: Int64
  public let title: String?
  public let text: String?
}

/// An entry of `notifications.notifiers`.
public struct NotifierSettings: Sendable, Hashable {
  /// The means of delivery.
  public enum Kind: Sendable, Hashable {
    /// A POST request.
    case webhook(Webhook)
    /// A program that reads the notice from its standard input.
    case command([String], environment: [String: String])
    /// A module's notifier.
    case module(String, notifier: String, recipient: String?)
  }

  /// The address, signature and limits of a webhook.
  public struct Webhook: Sendable, Hashable {
    /// The URL. It may hold a secret.
    public var url: String
    /// The key of the signature.
    public var secret: String?
    /// Further header fields. They may hold secrets.
    public var headers: [String: String] = [:]
    /// Whether the webhook may go to private addresses and to this machine.
    public var allowsPrivate = false
    /// The maximum number of redirects.
    public var redirects = 0
    /// The path of a PEM file with authorities that are trusted beside those of the system.
    public var authorities: String?
  }

  /// The name, or MODULE/NOTIFIER.
  public var name: String
  public var kind: Kind
  /// The longest time that one attempt may take, in milliseconds.
  public var timeoutMs: Int64 = 10_000
  /// The maximum number of attempts.
  public var attempts = 10
  /// The wait after the first failure, in milliseconds.
  public var initialBackoffMs: Int64 = 5_000
  /// The longest wait between two attempts, in milliseconds.
  public var maxBackoffMs: Int64 = 3_600_000
  /// The number of notices that are delivered at once.
  public var concurrency = 2

  public init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }
}
