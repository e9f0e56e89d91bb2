/// Selects assignments. A property that is nil leaves nothing out.
public struct AssignmentSelection: Sendable, Hashable {
  public var states: Set<AssignmentRow.State>?
  public var bot: String?
  public var task: Int64?
  /// Only numbers less than this.
  public var before: Int64?
  /// The most assignments, the newest first.
  public var limit: Int
  /// A page ends behind the assignment with which its texts have this many bytes.
  public var maxBytes = Int.max
  /// Leaves `decision`, `result` and `note` empty, which may have megabytes.
  public var omitsTexts = false
  /// The most assignments that a page looks at, selected or not.
  public var look = Int.max

  /// Makes a selection.
  public init(
    states: Set<AssignmentRow.State>? = nil, bot: String? = nil, task: Int64? = nil,
    before: Int64? = nil, limit: Int = 100
  ) {
    self.states = states
    self.bot = bot
    self.task = task
    self.before = before
    self.limit = limit
  }
}

/// A page of the assignments of a selection.
public struct AssignmentPage: Sendable, Hashable {
  public var rows: [AssignmentRow]
  /// The ``AssignmentSelection/before`` of the next page; nil for the last page. A page may have
  /// fewer than its limit, or none, and yet be followed by another one.
  public var before: Int64?

  /// Makes a page.
  public init(rows: [AssignmentRow], before: Int64?) { (self.rows, self.before) = (rows, before) }
}

/// The number of assignments in a state, and how long they took.
public struct AssignmentStatistics: Sendable, Hashable {
  public let state: AssignmentRow.State
  public let count: Int64
  /// The sum of the milliseconds from when each was accepted, or else assigned, until it ended.
  public let duration: Int64

  /// Makes a statistic.
  public init(state: AssignmentRow.State, count: Int64, duration: Int64) {
    self.state = state
    self.count = count
    self.duration = duration
  }
}

/// How often a step of a task's escalation was done, and when last.
public struct EscalationRow: Sendable, Hashable {
  public let task: Int64
  /// The step's place in the policy, from 0.
  public let step: Int64
  public let count: Int64
  /// When it was last done, in Unix milliseconds.
  public let last: Int64

  /// Makes a row.
  public init(task: Int64, step: Int64, count: Int64, last: Int64) {
    self.task = task
    self.step = step
    self.count = count
    self.last = last
  }
}
