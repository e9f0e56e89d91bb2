/// The assignment of a task to a bot, for one attempt.
public struct AssignmentRow: Sendable, Hashable {
  /// The states of an assignment.
  public enum State: String, Sendable, CaseIterable {
    /// The bot hasn't responded yet.
    case pending
    /// The bot works on the task.
    case accepted
    /// The bot refused the task.
    case rejected
    /// The bot didn't respond in time, or its heartbeats stopped.
    case timedOut = "timed_out"
    case completed
    case failed
    /// The bot lost the task because it was cancelled or reassigned, or because the bot was lost.
    case withdrawn

    /// Whether the assignment has ended.
    public var isEnded: Bool { self != .pending && self != .accepted }
  }

  /// The number, from 1; 0 before the assignment is stored.
  public var id: Int64
  public let task: Int64
  /// The number of the task's attempt, which is also the number of its lease.
  public let attempt: Int64
  public let bot: String
  public var state: State
  /// The name of the strategy that chose the bot, or `manual`.
  public let strategy: String
  /// The capability for which the bot was chosen; `nil` for an assignment to a named person.
  public let capability: String?
  /// The decision with its score and reasons, as JSON.
  public let decision: [UInt8]
  /// The time that the task had waited, in milliseconds.
  public let waited: Int64
  /// The time of the assignment in Unix milliseconds.
  public let created: Int64
  /// The time when the bot accepted, in Unix milliseconds.
  public var accepted: Int64?
  /// The time of the end in Unix milliseconds.
  public var ended: Int64?
  /// The result as JSON.
  public var result: [UInt8]?
  /// The reason for the end, as a sentence.
  public var note: String?

  /// Creates a row.
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
  /// The total size of the decision, the result and the note, in bytes.
  public var bytes: Int { decision.count + (result?.count ?? 0) + (note?.utf8.count ?? 0) }
}
