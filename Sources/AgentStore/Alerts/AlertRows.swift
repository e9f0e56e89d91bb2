/// A problem that people should know of. A rule opens it; a person or an event resolves it.
public struct AlertRow: Sendable, Hashable {
  /// What has become of it.
  public enum State: String, Sendable, CaseIterable {
    /// It is so, and nobody has taken it up yet.
    case open
    /// Somebody knows of it and handles it.
    case acknowledged
    case resolved
  }

  /// Its number, from 1, never given twice; 0 before it is stored.
  public var id: Int64
  public let rule: String
  /// Distinguishes the alerts of a rule, as JSON text. A rule has at most one alert of a key that
  /// isn't resolved.
  public let key: String
  /// An event with the same topic resolves the alert, as JSON text.
  public let topic: String
  public var state: State
  /// The highest severity so far: `info`, `warning` or `critical`.
  public var severity: String
  /// One line of text.
  public var title: String
  /// The message, of any number of lines.
  public var text: String
  /// How often it was raised.
  public var count: Int64
  /// The event or row that raised it last, as JSON.
  public var event: [UInt8]
  /// When it was opened, in Unix milliseconds.
  public let opened: Int64
  /// When it was last raised, in Unix milliseconds.
  public var updated: Int64
  /// When somebody was last notified, in Unix milliseconds.
  public var notified: Int64?
  /// The kind of the next notice: `opened`, `repeated`, …
  public var pending: String?
  /// When the next notice is due, in Unix milliseconds.
  public var due: Int64?
  /// When it was resolved, in Unix milliseconds; nil for one that isn't.
  public var closed: Int64?

  /// Makes a row.
  public init(
    id: Int64 = 0, rule: String, key: String, topic: String, state: State = .open,
    severity: String, title: String = "", text: String = "", count: Int64 = 0,
    event: [UInt8] = [], opened: Int64, updated: Int64, notified: Int64? = nil,
    pending: String? = nil, due: Int64? = nil, closed: Int64? = nil
  ) {
    self.id = id
    self.rule = rule
    self.key = key
    self.topic = topic
    self.state = state
    self.severity = severity
    self.title = title
    self.text = text
    self.count = count
    self.event = event
    self.opened = opened
    self.updated = updated
    self.notified = notified
    self.pending = pending
    self.due = due
    self.closed = closed
  }
}

/// A line of an alert's history.
public struct AlertStep: Sendable, Hashable {
  public let alert: Int64
  /// In Unix milliseconds.
  public let timestamp: Int64
  /// The step: `opened`, `notified`, `acknowledged`, …
  public let what: String
  /// The person, rule or part of the host that did it.
  public let actor: String
  /// A remark; may be empty.
  public let note: String

  /// Makes a line.
  public init(alert: Int64, timestamp: Int64, what: String, actor: String, note: String = "") {
    self.alert = alert
    self.timestamp = timestamp
    self.what = what
    self.actor = actor
    self.note = note
  }
}

/// Selects alerts. A property that is nil leaves nothing out.
public struct AlertSelection: Sendable, Hashable {
  public var state: AlertRow.State?
  /// Whether alerts that are resolved are left out.
  public var isCurrent: Bool
  public var severity: String?
  public var rule: String?
  /// Only numbers less than this.
  public var before: Int64?
  /// The most alerts.
  public var limit: Int

  /// Makes a selection.
  public init(
    state: AlertRow.State? = nil, isCurrent: Bool = false, severity: String? = nil,
    rule: String? = nil, before: Int64? = nil, limit: Int = 100
  ) {
    self.state = state
    self.isCurrent = isCurrent
    self.severity = severity
    self.rule = rule
    self.before = before
    self.limit = limit
  }
}
