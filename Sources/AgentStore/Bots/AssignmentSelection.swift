/// Which assignments are asked for. What is nil doesn't matter.
public struct AssignmentSelection: Sendable, Hashable {
  /// In one of these states.
  public var states: Set<AssignmentRow.State>?
  /// Of this bot.
  public var bot: String?
  /// Of this task.
  public var task: Int64?
  /// With a lesser number than this.
  public var before: Int64?
  /// At most so many, the newest first.
  public var limit: Int

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

/// What has become of assignments.
public struct AssignmentFigure: Sendable, Hashable {
  /// The state.
  public let state: AssignmentRow.State
  /// How many.
  public let count: Int64
  /// The milliseconds from when they were accepted, or given, until they ended, summed up.
  public let duration: Int64

  /// Makes a figure.
  public init(state: AssignmentRow.State, count: Int64, duration: Int64) {
    self.state = state
    self.count = count
    self.duration = duration
  }
}

/// How often a step of a task's escalation was done.
public struct EscalationRow: Sendable, Hashable {
  /// The task.
  public let task: Int64
  /// The step's place in the policy, from 0.
  public let step: Int64
  /// How often it was done.
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
