public import AgentJSON
public import AgentStore

/// Does the tasks of a type.
public protocol TaskExecutor: Sendable {
  /// Does one attempt. Its task is cancelled when somebody cancels the attempt, or its time is
  /// over; it is then to end soon.
  /// - Returns: how it ended. Whatever it throws is a failure that may be tried again.
  func run(_ work: TaskWork) async throws -> TaskOutcome
}

/// One attempt of a task, as who does it sees it.
public struct TaskWork: Sendable {
  /// The task as it was when the attempt began.
  public let task: TaskRow
  /// What is to be done.
  public let definition: TaskDefinition
  /// Takes a line of what it writes.
  public let log: @Sendable (_ stream: String, _ text: String) -> Void
  /// Says how far it has come: any value; by custom `{percent, message}`.
  public let progress: @Sendable (JSONValue) -> Void
  /// Keeps a file with the task: its name, which tells the media type, and the bytes.
  public var leave: @Sendable (String, [UInt8]) async throws(TaskError) -> Void = {
    (_, _) async throws(TaskError) in
    throw TaskError(.invalid, "Files aren't stored here.")
  }

  /// The lease under which it is done.
  public var lease: TaskLease {
    TaskLease(task: task.id, attempt: task.attempt, owner: task.owner ?? "")
  }
}

/// Thrown by the executor of a bot of the agent's own whose worker has ended under it: the task is
/// queued again, which is no failure of the task's.
public struct BotLost: Error, CustomStringConvertible {
  /// A sentence for people.
  public let reason: String
  /// The reason.
  public var description: String { reason }

  /// - Parameter reason: a sentence for people.
  public init(_ reason: String) { self.reason = reason }
}

/// A sort of task: what is given, and who does it.
public struct TaskType: Sendable {
  /// Its name, such as `command` or `data_backup`.
  public let name: String
  /// What it does, for people.
  public let description: String
  /// Its source: `built-in`, `settings`, or a module's name.
  public let source: String
  /// The JSON Schema of its input.
  public let input: JSONValue?
  /// Does it; nil when only bots do.
  public let executor: (any TaskExecutor)?
  /// `retry` of tasks that say nothing of it; nil for the plan's.
  public var retry: TaskRetry?
  /// Time-outs of tasks that say nothing of them.
  public var timeouts = TaskTimeouts()
  /// How many are done at once; nil for as many as there are places.
  public var maxAtOnce: Int64?
  /// Looks at a definition before it is stored: sentences about what isn't right.
  public let check: @Sendable (TaskDefinition) -> [String]

  /// Makes a type.
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

/// By which rules tasks are kept and done.
public struct TaskPlan: Sendable {
  /// The types there are, by name.
  public var types: [String: TaskType] = [:]
  /// How many tasks the host does at once.
  public var slots = 16
  /// The number of open tasks at which the engine takes no more.
  public var maxOpen: Int64 = 1_000_000
  /// The bytes that the definitions of open tasks may have together.
  public var maxBytes: Int64 = 4 << 30
  /// The bytes that those of one creator may have who doesn't administer the agent.
  public var maxBytesEach: Int64 = 256 << 20
  /// How many milliseconds of waiting one point of priority outweighs.
  public var ageing: Int64 = 2_400
  /// For how long tasks that have ended are kept, in milliseconds.
  public var keep: Int64 = 30 * 86_400_000
  /// How many lines of what a task writes are kept.
  public var logLines = 2_000
  /// For how many milliseconds the end of the host waits for what is being done.
  public var stopGrace: Int64 = 2_000
  /// `retry` of tasks that say nothing of it.
  public var retry = TaskRetry()
  /// Time-outs of tasks that say nothing of them.
  public var timeouts = TaskTimeouts()
  /// The number of attempts without a seen end after which a task isn't tried again.
  public var maxLost: Int64 = 10
  /// The number of host ends during its begin after which a task is put aside.
  public var maxHostEnds: Int64 = 2
  /// Takes what is secret out of what is kept.
  public var redact: @Sendable (String) -> String = { $0 }

  var bytes: TaskByteLimits { TaskByteLimits(total: maxBytes, each: maxBytesEach) }

  var losses: LossLimits { LossLimits(lost: maxLost, hostEnds: maxHostEnds) }

  /// Without types.
  public init() {}
}
