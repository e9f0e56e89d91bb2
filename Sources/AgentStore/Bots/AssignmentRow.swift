/// A task that was given to a bot: one attempt of it.
public struct AssignmentRow: Sendable, Hashable {
  /// Where it stands.
  public enum State: String, Sendable, CaseIterable {
    /// The bot hasn't answered yet.
    case pending
    /// The bot does it.
    case accepted
    /// The bot refused it.
    case rejected
    /// The bot didn't answer in time, or its heartbeat stopped.
    case timedOut = "timed_out"
    case completed
    case failed
    /// It was taken from the bot: cancelled, given to another, or the bot has gone.
    case withdrawn

    /// Whether the assignment has ended.
    public var isEnded: Bool { self != .pending && self != .accepted }
  }

  /// Its number, from 1; 0 before it is stored.
  public var id: Int64
  public let task: Int64
  /// The task's attempt, which is the number of its lease.
  public let attempt: Int64
  public let bot: String
  public var state: State
  /// The name of the strategy that chose the bot, or `manual`.
  public let strategy: String
  /// The capability by which the bot was chosen; nil for a person who was given it by name.
  public let capability: String?
  /// The decision with score and reasons, as JSON.
  public let decision: [UInt8]
  /// How long the task had waited, in milliseconds.
  public let waited: Int64
  /// When it was assigned, in Unix milliseconds.
  public let created: Int64
  /// When the bot began, in Unix milliseconds.
  public var accepted: Int64?
  /// When it ended, in Unix milliseconds.
  public var ended: Int64?
  /// The result, as JSON.
  public var result: [UInt8]?
  /// Why it ended, as a sentence.
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

extension AssignmentRow {
  /// The bytes of its longer texts.
  public var bytes: Int { decision.count + (result?.count ?? 0) + (note?.utf8.count ?? 0) }
}
