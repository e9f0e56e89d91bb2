import AgentKit

/// When one thing that a rule watches was last out of order, and what has been said of it. Times
/// are Unix milliseconds of rows; they come from events, so that their differences must not trap.
struct RuleState: Sendable, Hashable, Codable {
  /// What to say.
  enum Change: Sendable, Hashable {
    /// The condition has held for long enough. `suppressed` firings before it were held back.
    case fires(since: Int64, suppressed: Int)
    /// It is over.
    case resolves(since: Int64)

    /// Whether it says that it is over.
    var isOver: Bool { if case .resolves = self { true } else { false } }

    var since: Int64 {
      switch self {
      case .fires(let since, _), .resolves(let since): since
      }
    }

    var suppressed: Int { if case .fires(_, let suppressed) = self { suppressed } else { 0 } }
  }

  /// Since when the condition has held; `nil` when it doesn't.
  private(set) var since: Int64?
  /// Whether it was said that it is so, and not yet that it is over.
  private(set) var isRaised = false
  /// When something was last said.
  private(set) var said: Int64?
  /// How many were held back since.
  private(set) var suppressed = 0

  /// Takes a row's verdict.
  mutating func take(_ holds: Bool, at time: Int64, _ rule: RuleSettings) -> Change? {
    guard holds else { return end(rule) }
    // Times that were set back begin anew.
    let since = min(self.since ?? time, time)
    self.since = since
    let (length, overflow) = time.subtractingReportingOverflow(since)
    guard overflow || length >= rule.patience else { return nil }
    if let said, Self.isWithin(rule.cooldown, of: said, time) {
      suppressed += 1
      return nil
    }
    defer {
      said = time
      suppressed = 0
      isRaised = rule.resolves
    }
    return .fires(since: since, suppressed: suppressed)
  }

  /// What is left of it after a restart: whether a condition held meanwhile isn't known, but what
  /// was said is.
  var restored: RuleState {
    var state = self
    if !isRaised { state.since = nil }
    return state
  }

  /// It is over: a row said so, or there have been none for long.
  ///
  /// Where that is said, the cooldown ends: a reader of the end has to get a notice that it
  /// is so again.
  mutating func end(_ rule: RuleSettings) -> Change? {
    defer {
      since = nil
      if isRaised { (said, suppressed) = (nil, 0) }
      isRaised = false
    }
    return since.flatMap { isRaised ? .resolves(since: $0) : nil }
  }

  /// Whether nothing would be lost by forgetting it at `time`.
  func isIdle(at time: Int64, _ rule: RuleSettings) -> Bool {
    guard since == nil else { return false }
    return said.map { !Self.isWithin(rule.cooldown, of: $0, time) } ?? true
  }

  /// Where times were set back by more than the cooldown, what was said in the other time is long
  /// ago.
  private static func isWithin(_ cooldown: Int64, of said: Int64, _ time: Int64) -> Bool {
    let (distance, overflow) = time.subtractingReportingOverflow(said)
    return !overflow && distance < cooldown && distance > -cooldown
  }
}
