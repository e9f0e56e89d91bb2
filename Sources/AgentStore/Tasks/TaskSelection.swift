/// Which tasks are asked for. What is nil doesn't matter.
public struct TaskSelection: Sendable, Hashable {
  /// What decides on their order.
  public enum Order: String, Sendable, CaseIterable {
    /// By number: the order in which they were created.
    case created
    /// By when they last changed.
    case updated
    /// By how urgent they are, then by number.
    case priority
    /// By when they should be done; those without a date come last.
    case due
    /// By name.
    case name
  }

  /// In one of these states.
  public var states: Set<TaskRow.State>?
  /// Of this type.
  public var type: String?
  /// Given to this bot.
  public var bot: String?
  /// Of this batch.
  public var batch: Int64?
  /// Belonging to this task.
  public var parent: Int64?
  /// Made by this schedule.
  public var schedule: Int64?
  /// With this tag.
  public var tag: String?
  /// With this text in the name or in what is to be done, whatever its case (of ASCII letters).
  public var text: String?
  /// With a lesser number than this.
  public var before: Int64?
  /// What decides on their order.
  public var order: Order
  /// Whether the greatest, or newest, comes first.
  public var isDescending: Bool
  /// How many of the first are left out.
  public var offset: Int
  /// At most so many.
  public var limit: Int
  /// For a page of the newest: at most so many tasks are looked at, chosen or not.
  public var look = Int.max

  /// Makes a selection.
  public init(
    states: Set<TaskRow.State>? = nil, type: String? = nil, bot: String? = nil,
    batch: Int64? = nil, parent: Int64? = nil, schedule: Int64? = nil, tag: String? = nil,
    text: String? = nil, before: Int64? = nil, order: Order = .created, isDescending: Bool = true,
    offset: Int = 0,
    limit: Int = 100
  ) {
    self.states = states
    self.type = type
    self.bot = bot
    self.batch = batch
    self.parent = parent
    self.schedule = schedule
    self.tag = tag
    self.text = text
    self.before = before
    self.order = order
    self.isDescending = isDescending
    self.offset = offset
    self.limit = limit
  }
}

/// Some tasks of a selection.
public struct TaskPage: Sendable, Hashable {
  /// The tasks.
  public var rows: [TaskRow]
  /// What ``TaskSelection/before`` is for the page that follows; nil where none does. A page may have
  /// less than its limit, or nothing, and yet be followed by another one.
  public var before: Int64?
  /// How many of the first are still to be left out then.
  public var offset: Int

  /// Makes a page.
  public init(rows: [TaskRow], before: Int64?, offset: Int) {
    self.rows = rows
    self.before = before
    self.offset = offset
  }
}

/// How many tasks of a type are in a state.
public struct TaskCount: Sendable, Hashable {
  /// The type.
  public let type: String
  /// The state.
  public let state: TaskRow.State
  /// How many.
  public let count: Int64

  /// Makes a count.
  public init(type: String, state: TaskRow.State, count: Int64) {
    self.type = type
    self.state = state
    self.count = count
  }
}

/// A place among queued tasks: that of a task.
public struct LanePosition: Sendable, Hashable, Comparable {
  /// The task's rank.
  public let rank: Int64
  /// The task's number, which decides among equal ranks.
  public let task: Int64

  /// Makes a place.
  public init(rank: Int64, task: Int64) { (self.rank, self.task) = (rank, task) }

  /// Whether a task at one place goes before a task at another.
  public static func < (one: LanePosition, other: LanePosition) -> Bool {
    (one.rank, one.task) < (other.rank, other.task)
  }
}

/// What is queued in one lane.
public struct QueuedLane: Sendable, Hashable {
  /// The lane.
  public let name: String
  /// How many tasks.
  public let count: Int64
  /// The least rank.
  public let head: Int64

  /// Makes a summary.
  public init(name: String, count: Int64, head: Int64) {
    self.name = name
    self.count = count
    self.head = head
  }
}
