/// One step of an escalation: its delay, its target and its repetition.
public struct Escalation: Sendable, Hashable {
  /// The moment that a step's delay is counted from.
  public enum Trigger: String, Sendable, Hashable {
    /// The moment at which the task was queued, while no bot has accepted the task.
    case unaccepted
    /// The task's due date, while the task is not done.
    case overdue
  }

  /// The act of a step.
  public enum Target: Sendable, Hashable {
    /// Gives the task to this bot alone.
    case bot(String)
    /// Gives the task to a bot of this type.
    case botType(BotType)
    /// Gives the task to a person, by the id of their bot.
    case user(String)
    /// Raises the task's priority by this number of points.
    case raise(Int)
  }

  public let trigger: Trigger
  /// Milliseconds until the first escalation.
  public let after: Int64
  public let target: Target
  /// Milliseconds between repetitions. Nil means that the step happens once.
  public let every: Int64?
  /// The maximum number of repetitions.
  public let times: Int

  /// Creates a step. Without `every` it happens once. With `every` it happens up to `times` times, or
  /// without end if `times` is absent.
  public init(
    _ trigger: Trigger, after: Int64, to target: Target, every: Int64? = nil, times: Int? = nil
  ) {
    self.trigger = trigger
    self.after = max(0, after)
    self.target = target
    self.every = every.map { max(1, $0) }
    self.times = every == nil ? 1 : max(1, times ?? .max)
  }
}
