/// Selects assignments. A property that is `nil` doesn't restrict the selection.
public struct AssignmentSelection: Sendable, Hashable {
  public var states: Set<AssignmentRow.State>?
  public var bot: String?
  public var task: Int64?
  /// Only numbers less than this.
  public var before: Int64?
  /// The largest number of assignments. The newest come first.
  public var limit: Int
  /// The size of the texts at which a page ends, in bytes. The last assignment may exceed it.
  public var maxBytes = Int.max
  /// Whether `decision`, `result` and `note` are left empty, because they may have megabytes.
  public var omitsTexts = false
  /// The largest number of assignments that a page examines, whether they match or not.
  public var look = Int.max

  /// Creates a selection.
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

/// A page of selected assignments.
public struct AssignmentPage: Sendable, Hashable {
  public var rows: [AssignmentRow]
  /// The ``AssignmentSelection/before`` of the next page; `nil` for the last page. A page may have
  /// fewer assignments than its limit, or none, although another page follows.
  public var before: Int64?

  /// Creates a page.
  public init(rows: [AssignmentRow], before: Int64?) { (self.rows, self.before) = (rows, before) }
}

/// The number and the total duration of the assignments in a state.
public struct AssignmentStatistics: Sendable, Hashable {
  public let state: AssignmentRow.State
  public let count: Int64
  /// The sum of the durations in milliseconds, each from acceptance, or else assignment, to the
  /// end.
  public let duration: Int64

  /// Creates a statistic.
  public init(state: AssignmentRow.State, count: Int64, duration: Int64) {
    self.state = state
    self.count = count
    self.duration = duration
  }
}

/// The executions of a step of a task's escalation.
public struct EscalationRow: Sendable, Hashable {
  public let task: Int64
  /// The index of the step in the policy, from 0.
  public let step: Int64
  public let count: Int64
  /// The time of the last execution in Unix milliseconds.
  public let last: Int64

  /// Creates a row.
  public init(task: Int64, step: Int64, count: Int64, last: Int64) {
    self.task = task
    self.step = step
    self.count = count
    self.last = last
  }
}
