public import AgentJSON
internal import AgentSystem

/// What is to be done, and how: all that doesn't change while it is done.
public struct TaskDefinition: Sendable, Equatable {
  /// For people.
  public var description = ""
  /// What the executor of the type gets.
  public var input = JSONValue.null
  /// The program with its arguments, `python:FILE:FUNCTION` or `node:FILE:FUNCTION`.
  public var runCommand: String?
  /// Whether a shell reads the command.
  public var usesShell = false
  /// Names of secrets that the command finds in its environment.
  public var secrets: [String] = []
  /// Words by which tasks are found.
  public var tags: [String] = []
  /// The part of the system that it concerns.
  public var subsystem: String?
  /// What its creator wants to find again.
  public var metadata = JSONObject()
  /// When a failed attempt is followed by another one.
  public var retry = TaskRetry()
  /// ``retry`` was said by who wants the task, even where it is as usual.
  public var saysRetry = false
  /// How long what may take.
  public var timeouts = TaskTimeouts()
  /// Tasks of one type with the same key are limited together.
  public var concurrencyKey: String?
  /// How many with the key run at once.
  public var concurrencyLimit: Int64?
  /// How many with the key begin within a period.
  public var rate: TaskRate?
  /// The bot that is to do it, and no other.
  public var bot: String?
  /// The type of bot that is to do it.
  public var botType: String?
  /// A capability that the bot must have, by name.
  public var capability: String?
  /// What happens when nobody takes it or it is overdue.
  public var escalation: [JSONValue] = []
  /// Who created it.
  public var createdBy: String?

  /// Nothing in particular.
  public init() {}
}

/// So many within a period.
public struct TaskRate: Sendable, Hashable {
  /// How many.
  public let count: Int64
  /// The period in milliseconds.
  public let period: Int64

  /// Makes a rate; numbers beyond what a rate may have become the nearest that it may.
  public init(clamping count: Int64, period: Int64) {
    self.count = count.clamped(to: TaskBounds.concurrency)
    self.period = period.clamped(to: TaskBounds.duration)
  }
}
