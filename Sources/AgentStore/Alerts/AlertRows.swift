/// A problem that needs the attention of people. A rule opens an alert. A person or an event
/// resolves it.
public struct AlertRow: Sendable, Hashable {
  /// The states of an alert.
  public enum State: String, Sendable, CaseIterable {
    /// The problem exists and no person has acknowledged it.
    case open
    /// A person has acknowledged it and handles it.
    case acknowledged
    case resolved
  }

  /// The number, from 1. Numbers aren't reused. 0 before the alert is stored.
  public var id: Int64
  public let rule: String
  /// The key as JSON text. It distinguishes the alerts of a rule. A rule has at most one unresolved
  /// alert for each key.
  public let key: String
  /// The topic as JSON text. An event with the same topic resolves the alert.
  public let topic: String
  public var state: State
  /// The highest severity so far: `info`, `warning` or `critical`.
  public var severity: String
  /// The title, a single line.
  public var title: String
  /// The message, which may have several lines.
  public var text: String
  /// The number of times that it was raised.
  public var count: Int64
  /// The latest event or row that raised it, as JSON.
  public var event: [UInt8]
  /// The time of opening in Unix milliseconds.
  public let opened: Int64
  /// The time when it was last raised, in Unix milliseconds.
  public var updated: Int64
  /// The time of the last notice in Unix milliseconds.
  public var notified: Int64?
  /// The kind of the next notice: `opened`, `repeated`, …
  public var pending: String?
  /// The time when the next notice is due, in Unix milliseconds.
  public var due: Int64?
  /// The time of resolution in Unix milliseconds; `nil` if it isn't resolved.
  public var closed: Int64?

  /// Creates a row.
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
  /// The time in Unix milliseconds.
  public let timestamp: Int64
  /// The step: `opened`, `notified`, `acknowledged`, …
  public let what: String
  /// The person, rule or component that did it.
  public let actor: String
  /// A remark, which may be empty.
  public let note: String

  /// Creates a line.
  public init(alert: Int64, timestamp: Int64, what: String, actor: String, note: String = "") {
    self.alert = alert
    self.timestamp = timestamp
    self.what = what
    self.actor = actor
    self.note = note
  }
}

/// Selects alerts. A property that is `nil` doesn't restrict the selection.
public struct AlertSelection: Sendable, Hashable {
  public var state: AlertRow.State?
  /// Whether resolved alerts are excluded.
  public var isCurrent: Bool
  public var severity: String?
  public var rule: String?
  /// Only numbers less than this.
  public var before: Int64?
  /// The largest number of alerts.
  public var limit: Int

  /// Creates a selection.
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
