public import AgentAssignment
internal import AgentTasks

/// A pool: instances of a process, each of which is a bot.
public struct PoolPlan: Sendable {
  /// Its name; its instances are `NAME-1`, `NAME-2` and so on.
  public let name: String
  /// How many instances there may be, and what for.
  public let policy: PoolPolicy
  /// The bot that an instance is.
  public let bot: @Sendable (_ instance: String) -> LocalBot
  /// The types of tasks that its bots do.
  public let taskTypes: Set<String>

  /// Makes a plan.
  public init(
    name: String, policy: PoolPolicy, taskTypes: Set<String>,
    bot: @escaping @Sendable (_ instance: String) -> LocalBot
  ) {
    self.name = name
    self.policy = policy
    self.taskTypes = taskTypes
    self.bot = bot
  }

  /// The name of an instance.
  func instance(_ number: Int) -> String { "\(name)-\(number)" }
}

/// Starts and stops what pools are made of.
public struct InstanceController: Sendable {
  /// Starts an instance, and returns once it is up.
  let start: @Sendable (_ instance: String) async throws -> Void
  /// Stops an instance, and returns once it has stopped.
  let stop: @Sendable (_ instance: String) async throws -> Void

  /// - Parameters:
  ///   - start: starts an instance, and returns once it is up; throws when that can't be.
  ///   - stop: stops an instance, and returns once it has stopped.
  public init(
    start: @escaping @Sendable (_ instance: String) async throws -> Void,
    stop: @escaping @Sendable (_ instance: String) async throws -> Void
  ) {
    (self.start, self.stop) = (start, stop)
  }
}

/// How a pool stands.
public struct PoolReport: Sendable, Hashable {
  /// Its name.
  public let name: String
  /// How many instances there may be, and what for.
  public let policy: PoolPolicy
  /// How its instances stand, by number.
  public let instances: [Instance]
  /// Tasks of its types that wait.
  public let queued: Int
  /// Milliseconds that a task takes, on average; nil where none has ended yet.
  public let serviceTime: Double?
  /// Why it has the size that it has.
  public let reason: PoolController.Reason
}
