/// A log line of a task.
public struct TaskLogLine: Sendable, Hashable {
  public let task: Int64
  /// The number among the task's lines, from 1.
  public let number: Int64
  /// The time in Unix milliseconds.
  public let timestamp: Int64
  /// The number of the attempt that wrote it.
  public let attempt: Int64
  /// `stdout`, `stderr`, or a log level.
  public let stream: String
  /// The line without its line break.
  public let text: String

  /// Creates a line.
  public init(
    task: Int64, number: Int64 = 0, timestamp: Int64, attempt: Int64, stream: String, text: String
  ) {
    self.task = task
    self.number = number
    self.timestamp = timestamp
    self.attempt = attempt
    self.stream = stream
    self.text = text
  }
}

/// A file that a task has produced.
public struct TaskArtifact: Sendable, Hashable {
  public let task: Int64
  /// The name, which is unique within the task.
  public let name: String
  /// The media type, such as `image/png`.
  public let mediaType: String
  /// The size in bytes.
  public let size: Int64
  /// The time of storing in Unix milliseconds.
  public let timestamp: Int64
  /// The name of the stored file; empty if it is the name of the artifact.
  public var file: String

  /// Creates an artifact.
  public init(
    task: Int64, name: String, mediaType: String, size: Int64, timestamp: Int64, file: String = ""
  ) {
    self.task = task
    self.name = name
    self.mediaType = mediaType
    self.size = size
    self.timestamp = timestamp
    self.file = file
  }
}

/// The result of a step that removes old tasks.
public struct TaskRemoval: Sendable, Hashable {
  /// The numbers of the removed tasks.
  public let removed: [Int64]
  /// The last examined task, after which the next step continues. `nil` if no task was left, or if
  /// all of them were created too late, but not later than now.
  public let last: Int64?
  /// Whether a task that wasn't removed has lost lines of its log. The next step continues with it.
  public let hasShortenedLog: Bool

  /// Whether the step removed anything. The same step again would end in the same way if it didn't.
  public var hasProgress: Bool { !removed.isEmpty || hasShortenedLog }

  /// Creates a result.
  public init(removed: [Int64], last: Int64?, hasShortenedLog: Bool = false) {
    (self.removed, self.last) = (removed, last)
    self.hasShortenedLog = hasShortenedLog
  }
}

/// The bytes that tasks take which retention may remove. They are kept as sums, so that reading them
/// needs no scan.
public struct TaskSizes: Sendable, Hashable {
  /// The definitions, histories, progress and results of ended tasks.
  public var ended: Int64 = 0
  /// The log lines of all tasks.
  public var logs: Int64 = 0
  /// The files that tasks have left.
  public var artifacts: Int64 = 0

  /// Creates sums of nothing.
  public init() {}
}

/// Tasks that were created together, and their counts.
public struct TaskBatch: Sendable, Hashable {
  /// The number, from 1; 0 before the batch is stored.
  public var id: Int64
  public var name: String
  /// The time of creation in Unix milliseconds.
  public var created: Int64
  /// The number of tasks.
  public var total: Int64
  /// The number of tasks that haven't ended.
  public var pending: Int64
  /// The number of tasks that ended without success.
  public var unsuccessful: Int64
  /// The time when its last task ended, in Unix milliseconds; `nil` while a task hasn't ended.
  public var finished: Int64?

  /// Creates a batch.
  public init(
    id: Int64 = 0, name: String, created: Int64, total: Int64, pending: Int64,
    unsuccessful: Int64 = 0, finished: Int64? = nil
  ) {
    self.id = id
    self.name = name
    self.created = created
    self.total = total
    self.pending = pending
    self.unsuccessful = unsuccessful
    self.finished = finished
  }
}

/// The values of the wall clock and the steady clock at the same time. It is stored, so that the
/// next run of the host can detect that the wall clock was set in between.
public struct ClockMark: Sendable, Hashable {
  /// Identifies the start of the machine, at which the steady clock restarts.
  public var boot: String
  /// The wall clock in Unix milliseconds.
  public var wall: Int64
  /// The steady clock in milliseconds.
  public var steady: Int64

  /// Creates a mark.
  public init(boot: String, wall: Int64, steady: Int64) {
    self.boot = boot
    self.wall = wall
    self.steady = steady
  }
}

/// The lease of a task that is assigned or running. It has the columns that the engine keeps in
/// memory.
public struct StoredLease: Sendable, Hashable {
  public let task: Int64
  public let attempt: Int64
  public let owner: String?
  public let queueKey: String
  /// Whether a cancellation of the attempt was requested.
  public let isCancelling: Bool

  /// Creates a lease.
  public init(
    task: Int64, attempt: Int64, owner: String?, queueKey: String, isCancelling: Bool
  ) {
    self.task = task
    self.attempt = attempt
    self.owner = owner
    self.queueKey = queueKey
    self.isCancelling = isCancelling
  }
}

/// The stored state of a task, for checks that also find unknown states.
public struct StoredTaskState: Sendable, Hashable {
  public let id: Int64
  /// The name of a ``TaskRow/State``, unless another program has written it.
  public let state: String

  /// Creates a stored state.
  public init(id: Int64, state: String) { (self.id, self.state) = (id, state) }
}
