public import AgentJSON
public import AgentStore

/// Executes the tasks of a type.
public protocol TaskExecutor: Sendable {
  /// Executes one attempt. Its Swift task is cancelled when the attempt is cancelled or times out.
  /// Then it must end soon.
  /// - Returns: the outcome.
  /// - Throws: any error, which counts as a failure that may be retried.
  func run(_ work: TaskWork) async throws -> TaskOutcome
}

/// One attempt of a task, as its executor sees it.
public struct TaskWork: Sendable {
  /// The row of the task when the attempt began.
  public let task: TaskRow
  /// The work of the task.
  public let definition: TaskDefinition
  /// Adds a line to the task's log.
  public let log: @Sendable (_ stream: String, _ text: String) -> Void
  /// Reports the progress: any value, usually `{percent, message}`.
  public let progress: @Sendable (JSONValue) -> Void
  /// Stores an artifact. The extension of its name determines the media type.
  public var leave: @Sendable (String, [UInt8]) async throws(TaskError) -> Void = {
    (_, _) async throws(TaskError) in
    throw TaskError(.invalid, "Files aren't stored here.")
  }

  /// The lease of the attempt.
  public var lease: TaskLease {
    TaskLease(task: task.id, attempt: task.attempt, owner: task.owner ?? "")
  }
}

/// The error of a local bot's executor whose worker ended during an attempt. The task is requeued,
/// and this doesn't count as a failure of the task.
public struct BotLost: Error, CustomStringConvertible {
  /// The reason, as a sentence for people.
  public let reason: String
  public var description: String { reason }

  /// - Parameter reason: a sentence for people.
  public init(_ reason: String) { self.reason = reason }
}

/// A type of tasks: its input and its executor.
public struct TaskType: Sendable {
  /// The name, such as `command` or `data_backup`.
  public let name: String
  /// The description for people.
  public let description: String
  /// The source of the type: `built-in`, `settings`, or the name of a module.
  public let source: String
  /// The JSON Schema of the input.
  public let input: JSONValue?
  /// The executor; `nil` if only bots do such tasks.
  public let executor: (any TaskExecutor)?
  /// The retry policy for tasks that don't define one; `nil` for the plan's.
  public var retry: TaskRetry?
  /// The time-outs for tasks that don't define them.
  public var timeouts = TaskTimeouts()
  /// The largest number of tasks that run at once; `nil` for no limit except the slots.
  public var maxAtOnce: Int64?
  /// Checks a definition before it is stored. Returns a sentence for each problem.
  public let check: @Sendable (TaskDefinition) -> [String]

  /// Creates a type.
  public init(
    name: String, description: String, source: String, input: JSONValue? = nil,
    executor: (any TaskExecutor)?,
    check: @escaping @Sendable (TaskDefinition) -> [String] = { _ in [] }
  ) {
    self.name = name
    self.description = description
    self.source = source
    self.input = input
    self.executor = executor
    self.check = check
  }
}

/// The settings of the task engine.
public struct TaskPlan: Sendable {
  /// The task types by name.
  public var types: [String: TaskType] = [:]
  /// The largest number of tasks that the host runs at once.
  public var slots = 16
  /// The largest number of open tasks. Further ones are refused.
  public var maxOpen: Int64 = 1_000_000
  /// The largest total size of the definitions of open tasks, in bytes.
  public var maxBytes: Int64 = 4 << 30
  /// The same limit for each creator that isn't an administrator, in bytes.
  public var maxBytesEach: Int64 = 256 << 20
  /// The bytes that ended tasks and the logs of all tasks may take. Beyond it, the tasks that ended
  /// first are removed.
  public var maxEndedBytes: Int64 = 2 << 30
  /// The bytes that artifacts may take. Those of ended tasks are removed first, and further ones
  /// are refused.
  public var maxArtifactBytes: Int64 = 4 << 30
  /// The largest number of schedules. Further ones are refused.
  public var maxSchedules: Int64 = 10_000
  /// The bytes that the definitions of schedules may have together. Further ones are refused.
  public var maxScheduleBytes: Int64 = 64 << 20
  /// The waiting time that equals one point of priority, in milliseconds.
  public var ageing: Int64 = 2_400
  /// The time that ended tasks are kept, in milliseconds.
  public var keep: Int64 = 30 * 86_400_000
  /// The largest number of log lines that are kept for a task.
  public var logLines = 2_000
  /// The time that the host waits for running attempts when it ends, in milliseconds.
  public var stopGrace: Int64 = 2_000
  /// The retry policy for tasks that don't define one.
  public var retry = TaskRetry()
  /// The time-outs for tasks that don't define them.
  public var timeouts = TaskTimeouts()
  /// The number of attempts without a known end after which a task is dead.
  public var maxLost: Int64 = 10
  /// The number of crashes of the host during a task, without an end of an attempt in between, after
  /// which the task is dead.
  public var maxHostEnds: Int64 = 2
  /// Removes secrets from texts that are stored.
  public var redact: @Sendable (String) -> String = { $0 }

  var bytes: TaskByteLimits { TaskByteLimits(total: maxBytes, each: maxBytesEach) }

  var losses: LossLimits { LossLimits(lost: maxLost, hostEnds: maxHostEnds) }

  /// Creates settings with defaults and without types.
  public init() {}
}
