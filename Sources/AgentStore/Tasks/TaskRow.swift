/// A task: its definition, its state and its result.
public struct TaskRow: Sendable, Hashable {
  /// The states of a task. The state machine in AgentTasks has the transitions.
  public enum State: String, Sendable, CaseIterable {
    /// Created, and not asked for yet.
    case waiting
    /// To be queued at a moment, for its first attempt or a further one.
    case scheduled
    /// Waits for a slot or a bot.
    case queued
    /// Given to a bot that hasn't begun yet.
    case assigned
    case running
    case succeeded
    /// Ended with a failure that isn't tried again: its only attempt failed, or the error says that
    /// another one is of no use.
    case failed
    case cancelled
    /// Ended because it has no attempts left, or a deadline passed.
    case dead
  }

  /// Its number, from 1, never given twice; 0 before it is stored.
  public var id: Int64
  /// The number of its changes. A change is made only to the version that its writer has read.
  public var version: Int64
  public var name: String
  /// The name of a task type.
  public var type: String
  public var state: State
  /// From 0 to 1000; the greatest is the most urgent.
  public var priority: Int64
  /// The queue key: tasks with the same one compete for the same slots.
  public var queueKey: String
  /// Its place in the queue: the least rank goes first.
  public var rank: Int64
  /// When it was created, in Unix milliseconds.
  public var created: Int64
  /// When it last changed, in Unix milliseconds.
  public var updated: Int64
  /// When it was last asked for, in Unix milliseconds.
  public var asked: Int64?
  /// When it was asked to cancel its present attempt, in Unix milliseconds.
  public var cancelling: Int64?
  /// When it becomes or became queued, in Unix milliseconds.
  public var runAt: Int64?
  /// By when it should be done, in Unix milliseconds.
  public var due: Int64?
  /// The deadline of its present state, in Unix milliseconds; the engine acts on it.
  public var wake: Int64?
  /// The number of its latest lease, one more each time that it is claimed.
  public var attempt: Int64
  /// Attempts that have failed since it was last asked for.
  public var failures: Int64
  /// Attempts whose end is unknown, since it was last asked for.
  public var lost: Int64
  /// How often the host ended while an attempt began, since the task was last asked for or was seen
  /// to go on. A task that ends the host is found by it.
  public var hostEnds: Int64
  /// When the next step of its escalation may be due, in Unix milliseconds.
  public var escalateAt: Int64?
  /// The holder of the lease.
  public var owner: String?
  /// The bot that it was given to.
  public var bot: String?
  /// When its latest attempt began, in Unix milliseconds.
  public var started: Int64?
  /// When it ended, in Unix milliseconds.
  public var finished: Int64?
  /// No other task can be created with the same key while this one has it.
  public var uniqueKey: String?
  /// The task that it belongs to.
  public var parent: Int64?
  /// The batch that it belongs to.
  public var batch: Int64?
  /// The schedule that has made it.
  public var schedule: Int64?
  /// The action, its input and its limits, as JSON.
  public var definition: [UInt8]
  /// The latest progress report of an attempt, as JSON.
  public var progress: [UInt8]?
  /// The result, as JSON.
  public var result: [UInt8]?
  /// Its transitions, a JSON object a line, the oldest first.
  public var history: [UInt8]
  /// Whose open tasks the bytes of this one count among; nil for those of administrators.
  public var creator: String?

  /// Makes a row.
  public init(
    id: Int64 = 0, version: Int64 = 0, name: String, type: String, state: State, priority: Int64,
    queueKey: String,
    rank: Int64 = 0, created: Int64, updated: Int64, asked: Int64? = nil, cancelling: Int64? = nil,
    runAt: Int64? = nil, due: Int64? = nil,
    wake: Int64? = nil, attempt: Int64 = 0, failures: Int64 = 0, owner: String? = nil,
    bot: String? = nil, started: Int64? = nil, finished: Int64? = nil, uniqueKey: String? = nil,
    parent: Int64? = nil, batch: Int64? = nil, schedule: Int64? = nil, definition: [UInt8],
    progress: [UInt8]? = nil, result: [UInt8]? = nil, history: [UInt8] = [], lost: Int64 = 0,
    hostEnds: Int64 = 0, escalateAt: Int64? = nil, creator: String? = nil
  ) {
    self.id = id
    self.version = version
    self.name = name
    self.type = type
    self.state = state
    self.priority = priority
    self.queueKey = queueKey
    self.rank = rank
    self.created = created
    self.updated = updated
    self.asked = asked
    self.cancelling = cancelling
    self.runAt = runAt
    self.due = due
    self.wake = wake
    self.attempt = attempt
    self.failures = failures
    self.lost = lost
    self.hostEnds = hostEnds
    self.escalateAt = escalateAt
    self.owner = owner
    self.bot = bot
    self.started = started
    self.finished = finished
    self.uniqueKey = uniqueKey
    self.parent = parent
    self.batch = batch
    self.schedule = schedule
    self.definition = definition
    self.progress = progress
    self.result = result
    self.history = history
    self.creator = creator
  }
}

extension TaskRow {
  /// A scan ends behind the task with which its rows have this many bytes: a task may have
  /// megabytes.
  public static let pageBytes = 8 << 20

  /// The bytes of its longer texts.
  public var bytes: Int {
    definition.count + history.count + (progress?.count ?? 0) + (result?.count ?? 0)
      + (uniqueKey?.utf8.count ?? 0)
  }
}
