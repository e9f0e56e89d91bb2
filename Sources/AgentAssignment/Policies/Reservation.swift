internal import AgentSystem

/// An offer of a task to a bot, which may accept or reject it. It is pure: the caller passes the
/// time.
///
/// ```
///             accept                     the task runs
///   offered ─────────▶ accepted
///      │ ╲    reject
///      │  ╲──────────▶ rejected ───┐     the task is offered to others
///      │      time is up           │
///      └─────────────▶ timedOut ───┘
/// ```
public struct Reservation: Sendable, Hashable {
  /// The phase of an offer.
  public enum Phase: Sendable, Hashable {
    /// The offer waits for an answer until this moment, exclusive, in Unix milliseconds. Nil waits
    /// without end.
    case offered(until: Int64?)
    /// The bot accepted the task.
    case accepted(at: Int64)
    /// The bot rejected the task for this reason.
    case rejected(at: Int64, reason: String?)
    /// No answer came in time.
    case timedOut(at: Int64)
    /// The task was cancelled, or a person assigned it.
    case withdrawn(at: Int64)
  }

  /// An act that the caller must perform.
  public enum Action: Sendable, Hashable {
    case nothing
    /// Run the task with this bot.
    case start
    /// Requeue the task, and exclude this bot from it.
    case offerOthers(without: String)
    /// Refuse the bot's answer with this reason.
    case refuse(Refusal)
  }

  /// Why an answer doesn't count.
  public enum Refusal: String, Sendable, Hashable {
    /// The answer comes from a bot that doesn't have the offer.
    case otherBot = "other_bot"
    /// The offer was answered differently before.
    case answered
    /// Time was up.
    case timedOut = "timed_out"
    /// The offer was withdrawn.
    case withdrawn
  }

  /// The id of the bot that has the offer.
  public let bot: String
  /// When the offer was made, in Unix milliseconds.
  public let offered: Int64
  public private(set) var phase: Phase

  /// Creates an offer. Without a timeout it waits without end, as an offer to a person does.
  public init(bot: String, at now: Int64, timeout: Int64? = nil) {
    self.bot = bot
    offered = now
    phase = .offered(until: timeout.map { now.adding(max(0, $0)) })
  }

  /// Restores a stored offer.
  public init(bot: String, offered: Int64, phase: Phase) {
    self.bot = bot
    self.offered = offered
    self.phase = phase
  }

  /// When to call ``advance(to:)``, in Unix milliseconds. Nil where nothing is due.
  public var due: Int64? {
    if case .offered(let until) = phase { until } else { nil }
  }

  /// The bot accepts the task. A repeated acceptance has the same result. After the deadline it is
  /// refused, even if ``advance(to:)`` wasn't called since.
  public mutating func accept(by bot: String, at now: Int64) -> Action {
    guard bot == self.bot else { return .refuse(.otherBot) }
    if let action = expire(at: now) { return action }
    switch phase {
    case .offered:
      phase = .accepted(at: now)
      return .start
    case .accepted: return .nothing
    case .rejected: return .refuse(.answered)
    case .timedOut: return .refuse(.timedOut)
    case .withdrawn: return .refuse(.withdrawn)
    }
  }

  /// The bot rejects the task. After the deadline this changes nothing and is no error.
  public mutating func reject(by bot: String, reason: String? = nil, at now: Int64) -> Action {
    guard bot == self.bot else { return .refuse(.otherBot) }
    if let action = expire(at: now) { return action }
    switch phase {
    case .offered:
      phase = .rejected(at: now, reason: reason)
      return .offerOthers(without: bot)
    case .accepted: return .refuse(.answered)
    case .rejected, .timedOut, .withdrawn: return .nothing
    }
  }

  /// Ends the offer if its deadline has passed.
  public mutating func advance(to now: Int64) -> Action {
    expire(at: now) ?? .nothing
  }

  /// The task was cancelled, or a person assigned it.
  /// - Returns: whether the caller must inform the bot, because its answer was still pending.
  public mutating func withdraw(at now: Int64) -> Bool {
    guard case .offered = phase else { return false }
    phase = .withdrawn(at: now)
    return true
  }

  private mutating func expire(at now: Int64) -> Action? {
    guard case .offered(let until?) = phase, now >= until else { return nil }
    phase = .timedOut(at: now)
    return .offerOthers(without: bot)
  }
}
