/// A task: its definition, its state and its result.
public struct TaskRow: Sendable, Hashable {
  /// The states of a task. The state machine in AgentTasks defines the transitions.
  public enum State: String, Sendable, CaseIterable {
    /// Created, but not requested yet.
    case waiting
    /// To be queued at a later time, for the first or a further attempt.
    case scheduled
    /// Waits for a slot or a bot.
    case queued
    /// Assigned to a bot that hasn't begun.
    case assigned
    case running
    case succeeded
    /// Failed without a retry: its only attempt failed, or the error says that a retry would fail
    /// too.
    case failed
    case cancelled
    /// Ended because no attempt is left or a deadline passed.
    case dead
  }

  /// The number, from 1. Numbers aren't reused. 0 before the task is stored.
  public var id: Int64
  /// The number of the version. A change is stored only if the row still has the version that was
  /// read.
  public var version: Int64
  public var name: String
  /// The name of the task type.
  public var type: String
  public var state: State
  /// The priority, 0 to 1000. A greater number is more urgent.
  public var priority: Int64
  /// The queue key. Tasks with the same key have common limits.
  public var queueKey: String
  /// The rank in the queue. The task with the least rank is first.
  public var rank: Int64
  /// The time of creation in Unix milliseconds.
  public var created: Int64
  /// The time of the last change in Unix milliseconds.
  public var updated: Int64
  /// The time of the last request for execution in Unix milliseconds.
  public var asked: Int64?
  /// The time when the cancellation of the current attempt was requested, in Unix milliseconds.
  public var cancelling: Int64?
  /// The time at which it is or was queued, in Unix milliseconds.
  public var runAt: Int64?
  /// The due date in Unix milliseconds.
  public var due: Int64?
  /// The deadline of the current state in Unix milliseconds. The engine handles it.
  public var wake: Int64?
  /// The number of the latest attempt. It increases with each lease.
  public var attempt: Int64
  /// The number of failed attempts since the last request.
  public var failures: Int64
  /// The number of attempts without a known end since the last request.
  public var lost: Int64
  /// The number of ends of the host during an attempt, since the last request or the last attempt
  /// that ended by itself. It identifies a task that crashes the host.
  public var hostEnds: Int64
  /// The time when the next step of its escalation may be due, in Unix milliseconds.
  public var escalateAt: Int64?
  /// The holder of the lease.
  public var owner: String?
  /// The bot to which it is assigned.
  public var bot: String?
  /// The time when the latest attempt began, in Unix milliseconds.
  public var started: Int64?
  /// The time of the end in Unix milliseconds.
  public var finished: Int64?
  /// The unique key. No other task can be created with the same key while this one has it.
  public var uniqueKey: String?
  /// The parent task.
  public var parent: Int64?
  /// The batch of the task.
  public var batch: Int64?
  /// The schedule that created it.
  public var schedule: Int64?
  /// The action, its input and its limits, as JSON.
  public var definition: [UInt8]
  /// The latest progress of an attempt, as JSON.
  public var progress: [UInt8]?
  /// The result as JSON.
  public var result: [UInt8]?
  /// The transitions, one JSON object in each line, the oldest first.
  public var history: [UInt8]
  /// The creator whose limit of bytes the task counts for; `nil` for administrators.
  public var creator: String?

  /// Creates a row.
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
  /// The size of the rows at which a scan ends, in bytes. The last task may exceed it, because a
  /// task may have megabytes.
  public static let pageBytes = 8 << 20

  /// The total size of its longer texts in bytes.
  public var bytes: Int {
    definition.count + history.count + (progress?.count ?? 0) + (result?.count ?? 0)
      + (uniqueKey?.utf8.count ?? 0)
  }
}
