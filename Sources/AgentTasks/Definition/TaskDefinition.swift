public import AgentJSON
internal import AgentSystem

/// The part of a task that doesn't change while it runs: the work, the limits and the rules.
public struct TaskDefinition: Sendable, Equatable {
  public var description = ""
  /// The input for the executor of the type.
  public var input = JSONValue.null
  /// The program with its arguments: a command line, `python:FILE:FUNCTION` or
  /// `node:FILE:FUNCTION`.
  public var runCommand: String?
  /// Whether a shell runs the command.
  public var usesShell = false
  /// The names of the secrets that the command gets in its environment.
  public var secrets: [String] = []
  public var tags: [String] = []
  /// The part of the system that the task concerns.
  public var subsystem: String?
  /// Data of the creator. The host doesn't interpret it.
  public var metadata = JSONObject()
  public var retry = TaskRetry()
  /// Whether ``retry`` was given, even if it equals the default.
  public var saysRetry = false
  public var timeouts = TaskTimeouts()
  /// The key of a shared limit. Tasks of all types with the same key count together.
  public var concurrencyKey: String?
  /// The largest number of tasks with the key that run at once.
  public var concurrencyLimit: Int64?
  /// The rate limit for starts of tasks with the key.
  public var rate: TaskRate?
  /// The id of the only bot that may do the task.
  public var bot: String?
  /// The only type of bots that may do the task.
  public var botType: String?
  /// The name of a capability that the bot must have.
  public var capability: String?
  /// The steps if no bot accepts the task or it is overdue, as JSON.
  public var escalation: [JSONValue] = []
  /// The actor that created the task.
  public var createdBy: String?

  /// Creates a definition with defaults only.
  public init() {}
}

/// A rate limit: a number of starts within a period.
public struct TaskRate: Sendable, Hashable {
  /// The largest number of tasks that start within the period.
  public let count: Int64
  /// The period in milliseconds.
  public let period: Int64

  /// Creates a rate. Numbers out of range become the nearest allowed ones.
  public init(clamping count: Int64, period: Int64) {
    self.count = count.clamped(to: TaskBounds.concurrency)
    self.period = period.clamped(to: TaskBounds.duration)
  }
}
