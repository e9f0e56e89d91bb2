public import AgentJSON
internal import AgentSystem

/// The part of a task that doesn't change while it runs: its work, its limits and its rules.
public struct TaskDefinition: Sendable, Equatable {
  public var description = ""
  /// The input for the executor of the type.
  public var input = JSONValue.null
  /// The program with its arguments, `python:FILE:FUNCTION` or `node:FILE:FUNCTION`.
  public var runCommand: String?
  /// Whether a shell runs the command.
  public var usesShell = false
  /// Names of secrets that the command gets in its environment.
  public var secrets: [String] = []
  public var tags: [String] = []
  /// The part of the system that the task concerns.
  public var subsystem: String?
  /// Free data of the creator.
  public var metadata = JSONObject()
  public var retry = TaskRetry()
  /// Whether ``retry`` was given, even if it equals the default.
  public var saysRetry = false
  public var timeouts = TaskTimeouts()
  /// Tasks with the same key are limited together, of all types.
  public var concurrencyKey: String?
  /// How many tasks with the key run at once.
  public var concurrencyLimit: Int64?
  /// How many tasks with the key begin within a period.
  public var rate: TaskRate?
  /// The only bot that may do it.
  public var bot: String?
  /// The only type of bot that may do it.
  public var botType: String?
  /// The name of a capability that the bot must have.
  public var capability: String?
  /// The steps for a task that nobody accepts or that is overdue.
  public var escalation: [JSONValue] = []
  /// The actor that created it.
  public var createdBy: String?

  /// A definition with defaults only.
  public init() {}
}

/// A rate limit: a count within a period.
public struct TaskRate: Sendable, Hashable {
  /// How many tasks may begin within the period.
  public let count: Int64
  /// In milliseconds.
  public let period: Int64

  /// Makes a rate. Numbers out of range become the nearest allowed ones.
  public init(clamping count: Int64, period: Int64) {
    self.count = count.clamped(to: TaskBounds.concurrency)
    self.period = period.clamped(to: TaskBounds.duration)
  }
}
