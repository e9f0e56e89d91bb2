/// One step of an escalation: after how long, to whom, how often.
public struct Escalation: Sendable, Hashable {
  /// What its time is counted from.
  public enum Trigger: String, Sendable, Hashable {
    /// From when the task was queued, as long as nobody has accepted it.
    case unaccepted
    /// From the task's due date, as long as it isn't done.
    case overdue
  }

  /// What is done.
  public enum Target: Sendable, Hashable {
    /// The task is given to this bot alone.
    case bot(String)
    /// The task is given to a bot of this type.
    case botType(BotType)
    /// The task is given to a person, by the id of their bot.
    case user(String)
    /// The task's priority is raised by so many points.
    case raise(Int)
  }

  /// What its time is counted from.
  public let trigger: Trigger
  /// Milliseconds until it is done for the first time.
  public let after: Int64
  /// What is done.
  public let target: Target
  /// Milliseconds until it is done again; nil for once.
  public let every: Int64?
  /// How often it is done at most.
  public let times: Int

  /// A step. Without `every` it is done once, with it up to `times`, and for ever without that.
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
