/// A piece of what a task has written while it ran.
public struct TaskLogLine: Sendable, Hashable {
  /// The task.
  public let task: Int64
  /// Its place among the task's lines, from 1.
  public let number: Int64
  /// When, in Unix milliseconds.
  public let timestamp: Int64
  /// The attempt that has written it.
  public let attempt: Int64
  /// Where it came from: `stdout`, `stderr`, or a level of a log.
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

/// A file that a task has left behind.
public struct TaskArtifact: Sendable, Hashable {
  /// The task.
  public let task: Int64
  /// Its name, unique within the task.
  public let name: String
  /// What is in it, such as `image/png`.
  public let mediaType: String
  /// How many bytes.
  public let size: Int64
  /// When, in Unix milliseconds.
  public let timestamp: Int64
  /// What the file is called in which it is; empty where it has the artifact's name.
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

/// What came of a look at tasks that may be removed.
public struct TaskRemoval: Sendable, Hashable {
  /// The numbers of those that are removed.
  public let removed: [Int64]
  /// The last that was looked at; nil where there was none, or all that were had been created too
  /// late.
  public let last: Int64?

  /// Makes one.
  public init(removed: [Int64], last: Int64?) { (self.removed, self.last) = (removed, last) }
}

/// Tasks that were created together and are looked at together.
public struct TaskBatch: Sendable, Hashable {
  /// Its number, from 1; 0 before it is stored.
  public var id: Int64
  /// What people call it.
  public var name: String
  /// When it was created, in Unix milliseconds.
  public var created: Int64
  /// How many tasks it has.
  public var total: Int64
  /// How many of them have not ended.
  public var pending: Int64
  /// How many of them have ended without success.
  public var unsuccessful: Int64
  /// When the last of them ended, in Unix milliseconds.
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
