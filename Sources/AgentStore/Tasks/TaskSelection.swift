/// Selects tasks. A property that is nil leaves nothing out.
public struct TaskSelection: Sendable, Hashable {
  /// The field by which the tasks are sorted.
  public enum Order: String, Sendable, CaseIterable {
    /// By number, which is the order in which they were created.
    case created
    case updated
    case priority
    case due
    case name
  }

  public var states: Set<TaskRow.State>?
  public var type: String?
  public var bot: String?
  public var batch: Int64?
  /// Only tasks that belong to this one.
  public var parent: Int64?
  /// Only tasks that this schedule has made.
  public var schedule: Int64?
  public var tag: String?
  /// Only tasks with this text in the name or the definition. The case of ASCII letters doesn't
  /// matter.
  public var text: String?
  /// Only numbers less than this.
  public var before: Int64?
  public var order: Order
  /// Whether the greatest, or newest, comes first.
  public var isDescending: Bool
  /// How many of the first tasks are left out.
  public var offset: Int
  /// The most tasks.
  public var limit: Int
  /// The most tasks that a page of the newest looks at, chosen or not.
  public var look = Int.max
  /// The most tasks that a list in any other order looks at. One that would have to look at more is
  /// refused with ``StoreError/Code/invalid``.
  public var maxSorted = Int.max
  /// A page ends behind the task with which its texts have this many bytes.
  public var maxBytes = Int.max

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

/// A page of the tasks of a selection.
public struct TaskPage: Sendable, Hashable {
  public var rows: [TaskRow]
  /// The ``TaskSelection/before`` of the next page; nil for the last page. A page may have less
  /// than its limit, or nothing, and yet be followed by another one.
  public var before: Int64?
  /// The ``TaskSelection/offset`` of the next page.
  public var offset: Int
  /// Whether the page ended at ``TaskSelection/maxBytes`` and not at its limit.
  public var isCut: Bool

  /// Makes a page.
  public init(rows: [TaskRow], before: Int64?, offset: Int, isCut: Bool = false) {
    self.rows = rows
    self.before = before
    self.offset = offset
    self.isCut = isCut
  }
}

/// The numbers of tasks of some types.
public struct TaskCountPage: Sendable, Hashable {
  /// Sorted by type and state.
  public var counts: [TaskCount]
  /// The type after which the next page begins; nil for the last page.
  public var after: String?

  /// Makes a page.
  public init(counts: [TaskCount], after: String?) { (self.counts, self.after) = (counts, after) }
}

/// The number of tasks of a type in a state.
public struct TaskCount: Sendable, Hashable {
  public let type: String
  public let state: TaskRow.State
  public let count: Int64

  /// Makes a count.
  public init(type: String, state: TaskRow.State, count: Int64) {
    self.type = type
    self.state = state
    self.count = count
  }
}

/// The place of a queued task in its queue.
public struct QueuePosition: Sendable, Hashable, Comparable {
  /// The task's rank.
  public let rank: Int64
  /// The task's number, which decides among equal ranks.
  public let task: Int64

  /// Makes a place.
  public init(rank: Int64, task: Int64) { (self.rank, self.task) = (rank, task) }

  /// Whether a task at one place goes before a task at another.
  public static func < (one: QueuePosition, other: QueuePosition) -> Bool {
    (one.rank, one.task) < (other.rank, other.task)
  }
}

/// A summary of the tasks in one queue.
public struct QueueHead: Sendable, Hashable {
  public let name: String
  public let count: Int64
  /// The least rank, which is that of the first task.
  public let head: Int64

  /// Makes a summary.
  public init(name: String, count: Int64, head: Int64) {
    self.name = name
    self.count = count
    self.head = head
  }
}
