/// Something that people should know of: opened by a rule, and over when somebody or something says
/// so.
public struct AlertRow: Sendable, Hashable {
  /// What has become of it.
  public enum State: String, Sendable, CaseIterable {
    /// It is so, and nobody has taken it up yet.
    case open
    /// Somebody knows and looks after it.
    case acknowledged
    /// It is over.
    case resolved
  }

  /// Its number, from 1, never given twice; 0 before it is stored.
  public var id: Int64
  /// The rule that opened it.
  public let rule: String
  /// What makes two of a rule the same, as JSON text: one that isn't over is there once for each.
  public let key: String
  /// What ends it shares this with it, as JSON text.
  public let topic: String
  /// What has become of it.
  public var state: State
  /// `info`, `warning` or `critical`: the highest so far.
  public var severity: String
  /// One line.
  public var title: String
  /// What there is to say.
  public var text: String
  /// How often it was raised.
  public var count: Int64
  /// The event or row that raised it last, JSON.
  public var event: [UInt8]
  /// When it was opened, in Unix milliseconds.
  public let opened: Int64
  /// When it was last raised, in Unix milliseconds.
  public var updated: Int64
  /// When somebody was last notified, in Unix milliseconds.
  public var notified: Int64?
  /// Of what somebody is to be notified next: `opened`, `repeated`, …
  public var pending: String?
  /// When that is to be, in Unix milliseconds.
  public var due: Int64?
  /// When it was over, in Unix milliseconds.
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
  /// The alert.
  public let alert: Int64
  /// When, in Unix milliseconds.
  public let timestamp: Int64
  /// What happened: `opened`, `notified`, `acknowledged`, …
  public let what: String
  /// Who did it, or what.
  public let actor: String
  /// More about it; may be empty.
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

/// Which alerts are asked for. What is nil doesn't matter.
public struct AlertSelection: Sendable, Hashable {
  /// In this state.
  public var state: AlertRow.State?
  /// Whether only those are meant that aren't over.
  public var isCurrent: Bool
  /// Of this severity.
  public var severity: String?
  /// Of this rule.
  public var rule: String?
  /// With a lesser number than this.
  public var before: Int64?
  /// At most so many.
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
