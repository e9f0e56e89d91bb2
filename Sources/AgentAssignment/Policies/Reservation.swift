internal import AgentSystem

/// An offer of a task to a bot that may accept or reject it. Pure: it is told the time.
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
  /// Where an offer stands.
  public enum Phase: Sendable, Hashable {
    /// It waits for an answer until a moment, which isn't part of the time it has; nil for ever.
    case offered(until: Int64?)
    /// The bot has the task.
    case accepted(at: Int64)
    /// The bot doesn't want it, for this reason.
    case rejected(at: Int64, reason: String?)
    /// There was no answer.
    case timedOut(at: Int64)
    /// The task was cancelled, or is given to somebody by hand.
    case withdrawn(at: Int64)
  }

  /// What is to be done.
  public enum Action: Sendable, Hashable {
    case nothing
    /// Run the task with this bot.
    case start
    /// Queue the task again, and add the bot to those who don't get it.
    case offerOthers(without: String)
    /// Tell the bot that it is too late, and why.
    case refuse(Refusal)
  }

  /// Why an answer doesn't count.
  public enum Refusal: String, Sendable, Hashable {
    /// It comes from a bot to which the task isn't offered.
    case otherBot = "other_bot"
    /// It was answered before, and otherwise.
    case answered
    /// Time was up.
    case timedOut = "timed_out"
    /// The offer was taken back.
    case withdrawn
  }

  /// To whom the task is offered.
  public let bot: String
  /// Since when, in Unix milliseconds.
  public let offered: Int64
  /// Where it stands.
  public private(set) var phase: Phase

  /// An offer; without a time-out it waits for ever, as for a person.
  public init(bot: String, at now: Int64, timeout: Int64? = nil) {
    self.bot = bot
    offered = now
    phase = .offered(until: timeout.map { now.adding(max(0, $0)) })
  }

  /// An offer as it was left.
  public init(bot: String, offered: Int64, phase: Phase) {
    self.bot = bot
    self.offered = offered
    self.phase = phase
  }

  /// When it is to be looked at again; nil where nothing is due.
  public var due: Int64? {
    if case .offered(let until) = phase { until } else { nil }
  }

  /// The bot takes it. Once more is as once; after the time it is too late, though nobody has
  /// looked at the clock since.
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

  /// The bot doesn't take it. After the time that changes nothing but is no mistake either.
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

  /// Time goes by.
  public mutating func advance(to now: Int64) -> Action {
    expire(at: now) ?? .nothing
  }

  /// The task is cancelled, or given to somebody by hand.
  /// - Returns: whether the bot is to be told, since it was still asked.
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
