public import AgentAssignment
internal import AgentTasks

/// The settings of a pool. A pool has instances of a process, and each instance is a bot.
public struct PoolPlan: Sendable {
  /// The name. Instances are named `NAME-1`, `NAME-2` and so on.
  public let name: String
  /// The limits of the size, and the target of the queue time.
  public let policy: PoolPolicy
  /// Returns the bot of an instance.
  public let bot: @Sendable (_ instance: String) -> LocalBot
  /// The types of tasks that the bots run.
  public let taskTypes: Set<String>

  /// Creates a plan.
  public init(
    name: String, policy: PoolPolicy, taskTypes: Set<String>,
    bot: @escaping @Sendable (_ instance: String) -> LocalBot
  ) {
    self.name = name
    self.policy = policy
    self.taskTypes = taskTypes
    self.bot = bot
  }

  /// Returns the name of an instance.
  func instance(_ number: Int) -> String { "\(name)-\(number)" }
}

/// Starts and stops the instances of pools.
public struct InstanceController: Sendable {
  /// Starts an instance, and returns when it runs.
  let start: @Sendable (_ instance: String) async throws -> Void
  /// Stops an instance, and returns when it has ended.
  let stop: @Sendable (_ instance: String) async throws -> Void

  /// - Parameters:
  ///   - start: starts an instance, and returns when it runs. It throws if that fails.
  ///   - stop: stops an instance, and returns when it has ended. It throws if that fails.
  public init(
    start: @escaping @Sendable (_ instance: String) async throws -> Void,
    stop: @escaping @Sendable (_ instance: String) async throws -> Void
  ) {
    (self.start, self.stop) = (start, stop)
  }
}

/// The state of a pool.
public struct PoolReport: Sendable, Hashable {
  /// The name of the pool.
  public let name: String
  /// The limits of the size, and the target of the queue time.
  public let policy: PoolPolicy
  /// The instances, sorted by number.
  public let instances: [Instance]
  /// The number of waiting tasks of the pool's types.
  public let queued: Int
  /// The mean duration of a task in milliseconds. Nil before the first task has ended.
  public let serviceTime: Double?
  /// The reason for the current size.
  public let reason: PoolController.Reason
}
