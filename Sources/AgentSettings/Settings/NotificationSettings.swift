/// `notifications`: who is told of what, and how.
public struct NotificationSettings: Sendable, Hashable {
  /// What opens alerts, in the settings' order.
  public var rules: [NotificationRuleSettings] = []
  /// Where notices can go beside the built-in ones, sorted by name.
  public var notifiers: [NotifierSettings] = []
  /// Days after which what is over is removed.
  public var keepDays: Double = 90

  /// Nothing is told.
  public init() {}
}

/// An entry of `notifications.rules`.
public struct NotificationRuleSettings: Sendable, Hashable {
  /// What opens or ends an alert.
  public enum Trigger: Sendable, Hashable {
    /// Events that pass a filter.
    case event(String)
    /// Rows that a query says.
    case query(String)
  }

  /// How much it matters: least, where it is found, what values stand for, and what else.
  public struct Severity: Sendable, Hashable {
    /// What is less opens no alert.
    public var least = "info"
    /// The field that has it.
    public var field = "severity"
    /// What the field's values stand for.
    public var map: [String: String] = [:]
    /// Where the field says nothing.
    public var fallback = "warning"

    /// The severity as alerts have it.
    public init() {}
  }

  /// When nobody is disturbed.
  public struct QuietHours: Sendable, Hashable {
    /// The minute of the day with which they begin.
    public var from: Int
    /// The minute of the day with which they are over.
    public var to: Int
    /// A name of the time zone database.
    public var timeZone: String
    /// The lowest severity that is sent during quiet hours. Nil means that nothing is sent.
    public var except: String?
  }

  /// Its name, unique among the rules.
  public let name: String
  /// What opens an alert.
  public let when: Trigger
  /// What ends it; nil for what the event's own pair is.
  public let until: Trigger?
  /// How much it matters.
  public let severity: Severity
  /// The notifiers: `log`, `console`, a name, or MODULE/NOTIFIER.
  public let to: [String]
  /// When nobody is disturbed.
  public let quietHours: QuietHours?
  /// Milliseconds after which it is told again; nil for never.
  public let repeatMs: Int64?
  /// The fields that make two of a rule one.
  public let group: [String]
  /// Milliseconds before the first notice.
  public let groupWaitMs: Int64
  /// The template of the title, where there is one.
  public let title: String?
  /// The template of the text, where there is one.
  public let text: String?
}

/// An entry of `notifications.notifiers`.
public struct NotifierSettings: Sendable, Hashable {
  /// What it is.
  public enum Kind: Sendable, Hashable {
    /// POST over HTTP.
    case webhook(Webhook)
    /// A program that gets the notice on its standard input.
    case command([String], environment: [String: String])
    /// What a module offers.
    case module(String, notifier: String, recipient: String?)
  }

  /// Where a webhook goes and what it may do.
  public struct Webhook: Sendable, Hashable {
    /// Where to; may hold a secret.
    public var url: String
    /// What signs it.
    public var secret: String?
    /// Further header fields; they may hold secrets.
    public var headers: [String: String] = [:]
    /// Whether a private address, or this machine, is allowed.
    public var allowsPrivate = false
    /// How many redirects are followed.
    public var redirects = 0
    /// A PEM file with authorities that are believed beside those of the system.
    public var authorities: String?
  }

  /// Its name, or MODULE/NOTIFIER.
  public var name: String
  /// What it is.
  public var kind: Kind
  /// Milliseconds an attempt may take.
  public var timeoutMs: Int64 = 10_000
  /// How often it is tried.
  public var attempts = 10
  /// Milliseconds after the first failure.
  public var initialBackoffMs: Int64 = 5_000
  /// The most milliseconds between two attempts.
  public var maxBackoffMs: Int64 = 3_600_000
  /// How many are delivered at once.
  public var concurrency = 2

  /// A notifier with defaults.
  public init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }
}
