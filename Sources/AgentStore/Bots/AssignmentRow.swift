/// A task that was given to a bot: one attempt of it.
public struct AssignmentRow: Sendable, Hashable {
  /// Where it stands.
  public enum State: String, Sendable, CaseIterable {
    /// The bot hasn't answered yet.
    case pending
    /// The bot does it.
    case accepted
    /// The bot didn't want it.
    case rejected
    /// The bot didn't answer, or wasn't heard of any more.
    case timedOut = "timed_out"
    /// The bot has done it.
    case completed
    /// The bot couldn't do it.
    case failed
    /// It was taken from the bot: cancelled, given to another, or the bot has gone.
    case withdrawn

    /// Nothing happens to it any more.
    public var isEnded: Bool { self != .pending && self != .accepted }
  }

  /// Its number, from 1; 0 before it is stored.
  public var id: Int64
  /// The task.
  public let task: Int64
  /// The task's attempt, which is the lease's number.
  public let attempt: Int64
  /// The bot's id.
  public let bot: String
  /// Where it stands.
  public var state: State
  /// By what it was decided: a strategy's name, or `manual`.
  public let strategy: String
  /// The capability by which the bot has it; nil for a person who was given it by name.
  public let capability: String?
  /// The decision with score and reasons: JSON.
  public let decision: [UInt8]
  /// How long the task had waited, in milliseconds.
  public let waited: Int64
  /// When it was given, in Unix milliseconds.
  public let created: Int64
  /// When the bot began, in Unix milliseconds.
  public var accepted: Int64?
  /// When it ended, in Unix milliseconds.
  public var ended: Int64?
  /// What came of it: JSON.
  public var result: [UInt8]?
  /// Why it ended, for people.
  public var note: String?

  /// Makes a row.
  public init(
    id: Int64 = 0, task: Int64, attempt: Int64, bot: String, state: State = .pending,
    strategy: String, capability: String?, decision: [UInt8], waited: Int64, created: Int64,
    accepted: Int64? = nil, ended: Int64? = nil, result: [UInt8]? = nil, note: String? = nil
  ) {
    self.id = id
    self.task = task
    self.attempt = attempt
    self.bot = bot
    self.state = state
    self.strategy = strategy
    self.capability = capability
    self.decision = decision
    self.waited = waited
    self.created = created
    self.accepted = accepted
    self.ended = ended
    self.result = result
    self.note = note
  }
}
