/// Selects tasks. A property that is `nil` doesn't restrict the selection.
public struct TaskSelection: Sendable, Hashable {
  /// The field by which the tasks are sorted.
  public enum Order: String, Sendable, CaseIterable {
    /// By number, which is the order of creation.
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
  /// Only children of this task.
  public var parent: Int64?
  /// Only tasks that this schedule created.
  public var schedule: Int64?
  public var tag: String?
  /// Only tasks with this text in the name or the definition. The case of ASCII letters is ignored.
  public var text: String?
  /// Only numbers less than this.
  public var before: Int64?
  public var order: Order
  /// Whether the greatest or newest comes first.
  public var isDescending: Bool
  /// The number of tasks that are skipped at the beginning.
  public var offset: Int
  /// The largest number of tasks.
  public var limit: Int
  /// The largest number of tasks that a page of the newest examines, whether they match or not.
  public var look = Int.max
  /// The largest number of tasks that a list in another order examines. If more are needed, the
  /// call throws ``StoreError/Code/invalid``.
  public var maxSorted = Int.max
  /// The size of the texts at which a page ends, in bytes. The last task may exceed it.
  public var maxBytes = Int.max

  /// Creates a selection.
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

/// A page of selected tasks.
public struct TaskPage: Sendable, Hashable {
  public var rows: [TaskRow]
  /// The ``TaskSelection/before`` of the next page; `nil` for the last page. A page may have fewer
  /// tasks than its limit, or none, although another page follows.
  public var before: Int64?
  /// The ``TaskSelection/offset`` of the next page.
  public var offset: Int
  /// Whether the page ended because of ``TaskSelection/maxBytes`` and not because of its limit.
  public var isCut: Bool

  /// Creates a page.
  public init(rows: [TaskRow], before: Int64?, offset: Int, isCut: Bool = false) {
    self.rows = rows
    self.before = before
    self.offset = offset
    self.isCut = isCut
  }
}

/// A page of the numbers of tasks by type and state.
public struct TaskCountPage: Sendable, Hashable {
  /// The numbers, sorted by type and state.
  public var counts: [TaskCount]
  /// The type after which the next page begins; `nil` for the last page.
  public var after: String?

  /// Creates a page.
  public init(counts: [TaskCount], after: String?) { (self.counts, self.after) = (counts, after) }
}

/// The number of tasks of a type in a state.
public struct TaskCount: Sendable, Hashable {
  public let type: String
  public let state: TaskRow.State
  public let count: Int64

  /// Creates a count.
  public init(type: String, state: TaskRow.State, count: Int64) {
    self.type = type
    self.state = state
    self.count = count
  }
}

/// The position of a queued task in its queue.
public struct QueuePosition: Sendable, Hashable, Comparable {
  /// The rank of the task.
  public let rank: Int64
  /// The number of the task, which decides between equal ranks.
  public let task: Int64

  /// Creates a position.
  public init(rank: Int64, task: Int64) { (self.rank, self.task) = (rank, task) }

  /// Returns whether a task at `one` comes before a task at `other`.
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

  /// Creates a summary.
  public init(name: String, count: Int64, head: Int64) {
    self.name = name
    self.count = count
    self.head = head
  }
}
