/// A line that a task has written while it ran.
public struct TaskLogLine: Sendable, Hashable {
  public let task: Int64
  /// Its place among the task's lines, from 1.
  public let number: Int64
  /// In Unix milliseconds.
  public let timestamp: Int64
  /// The attempt that wrote it.
  public let attempt: Int64
  /// `stdout`, `stderr`, or a level of a log.
  public let stream: String
  /// The line, without its end.
  public let text: String

  /// Makes a line.
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

/// A file that a task has left.
public struct TaskArtifact: Sendable, Hashable {
  public let task: Int64
  /// Its name, unique within the task.
  public let name: String
  /// Such as `image/png`.
  public let mediaType: String
  /// In bytes.
  public let size: Int64
  /// In Unix milliseconds.
  public let timestamp: Int64
  /// The name of the file that holds it; empty where that is the artifact's name.
  public var file: String

  /// Makes an artifact.
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

/// The result of one step of removing old tasks.
public struct TaskRemoval: Sendable, Hashable {
  /// The numbers of the removed tasks.
  public let removed: [Int64]
  /// The last task that was looked at, from which the next step goes on; nil where there was none,
  /// or all of them were created too late, but not later than now.
  public let last: Int64?

  /// Makes one.
  public init(removed: [Int64], last: Int64?) { (self.removed, self.last) = (removed, last) }
}

/// Tasks that were created together, with their numbers.
public struct TaskBatch: Sendable, Hashable {
  /// Its number, from 1; 0 before it is stored.
  public var id: Int64
  public var name: String
  /// When it was created, in Unix milliseconds.
  public var created: Int64
  /// How many tasks it has.
  public var total: Int64
  /// How many of its tasks have not ended.
  public var pending: Int64
  /// How many of its tasks have ended without success.
  public var unsuccessful: Int64
  /// When its last task ended, in Unix milliseconds; nil while one has not.
  public var finished: Int64?

  /// Makes a batch.
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

/// The wall clock and the steady clock at the same moment. It outlives the host, so that the next
/// one finds out whether the wall clock was set meanwhile.
public struct ClockMark: Sendable, Hashable {
  /// Identifies the start of the machine, with which the steady clock begins anew.
  public var boot: String
  /// Unix milliseconds.
  public var wall: Int64
  /// Milliseconds of the steady clock.
  public var steady: Int64

  /// A mark.
  public init(boot: String, wall: Int64, steady: Int64) {
    self.boot = boot
    self.wall = wall
    self.steady = steady
  }
}

/// The lease of a task that is assigned or running: as much of its row as the engine keeps in
/// memory.
public struct StoredLease: Sendable, Hashable {
  public let task: Int64
  public let attempt: Int64
  public let owner: String?
  public let queueKey: String
  /// Whether somebody has asked to cancel the attempt.
  public let isCancelling: Bool

  /// Makes one.
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

/// The state of a task as it is stored, for checks that also find words that aren't states.
public struct StoredTaskState: Sendable, Hashable {
  public let id: Int64
  /// One of ``TaskRow/State``, unless another program has written it.
  public let state: String

  /// Makes one.
  public init(id: Int64, state: String) { (self.id, self.state) = (id, state) }
}
