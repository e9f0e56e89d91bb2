internal import AgentSystem

/// What becomes of an alert, and when somebody is notified of it. Pure: it is told the time.
///
/// ```
///            raised            due and not quiet          repeat
///   (nothing) ────▶ pending(opened) ────▶ told ────▶ pending(repeated) ─┐
///                      │                   │  ▲───────────────────────────┘
///                      │       worse: pending(escalated)
///                      ▼                   ▼
///                acknowledged ────▶ resolved
/// ```
struct AlertStateMachine: Hashable, Sendable {
  /// Where it stands.
  enum Phase: Hashable, Sendable {
    /// A notice is to be sent as soon as this moment has come and nobody is to be left in peace.
    case pending(NoticeKind, due: Int64)
    /// The notice was sent, and nothing is due.
    case told
    /// Somebody looks after it.
    case acknowledged
    /// It is over.
    case resolved(at: Int64)
  }

  /// What a rule says about time.
  struct Policy: Sendable {
    /// Milliseconds before the first notice.
    var groupWait: Int64 = 0
    /// Milliseconds after which it is told again; nil for never.
    var repeatAfter: Int64?
    /// When nobody is disturbed.
    var quiet: QuietHours?
  }

  /// What is to be done.
  enum Action: Hashable, Sendable {
    case nothing
    /// Send a notice, not before a moment.
    case tell(NoticeKind, notBefore: Int64)
  }

  private(set) var phase: Phase
  private(set) var severity: AlertSeverity
  private(set) var count: Int64
  let opened: Int64
  /// When it was last raised.
  private(set) var updated: Int64
  /// When somebody was last notified.
  private(set) var notified: Int64?

  /// An alert as it was left.
  init(
    phase: Phase, severity: AlertSeverity, count: Int64, opened: Int64, updated: Int64,
    notified: Int64?
  ) {
    self.phase = phase
    self.severity = severity
    self.count = count
    self.opened = opened
    self.updated = updated
    self.notified = notified
  }

  /// One that has just been raised for the first time; ``advance(to:_:)`` follows.
  init(raised severity: AlertSeverity, at now: Int64, _ policy: Policy) {
    self.init(
      phase: .pending(.opened, due: now.adding(policy.groupWait)), severity: severity, count: 1,
      opened: now, updated: now, notified: nil)
  }

  /// When it is to be looked at again; nil when nothing is due.
  var due: Int64? {
    if case .pending(_, let due) = phase { due } else { nil }
  }

  /// Whether it isn't over.
  var isCurrent: Bool {
    if case .resolved = phase { false } else { true }
  }

  /// It was raised once more.
  mutating func raise(_ severity: AlertSeverity, at now: Int64, _ policy: Policy) -> Action {
    guard isCurrent else { return .nothing }
    count = count.adding(1)
    updated = max(updated, now)
    if severity > self.severity {
      self.severity = severity
      switch phase {
      case .pending(.opened, let due):
        // It may be held back by quiet hours, which what matters more may break.
        phase = .pending(.opened, due: min(due, max(now, opened.adding(policy.groupWait))))
      case .pending(.escalated, _), .pending(.repeated, _), .told, .acknowledged:
        phase = .pending(.escalated, due: now)
      case .pending, .resolved: break
      }
    }
    return advance(to: now, policy)
  }

  /// Time goes by.
  mutating func advance(to now: Int64, _ policy: Policy) -> Action {
    guard case .pending(let kind, let due) = phase, due <= now else { return .nothing }
    if let end = policy.quiet?.end(for: severity, at: now) {
      phase = .pending(kind, due: end)
      return .nothing
    }
    notified = now
    phase = policy.repeatAfter.map { .pending(.repeated, due: now.adding($0)) } ?? .told
    return .tell(kind, notBefore: now)
  }

  /// Somebody looks after it: it isn't told again, unless it gets worse.
  /// - Returns: whether that changes anything.
  mutating func acknowledge() -> Bool {
    switch phase {
    case .pending, .told:
      phase = .acknowledged
      return true
    case .acknowledged, .resolved: return false
    }
  }

  /// The alert is over. If its notice was sent, a notice of the end is sent, too.
  /// - Returns: nil when it was over already.
  mutating func resolve(at now: Int64, _ policy: Policy) -> Action? {
    guard isCurrent else { return nil }
    phase = .resolved(at: now)
    guard notified != nil else { return .nothing }
    return .tell(.resolved, notBefore: policy.quiet?.end(for: severity, at: now) ?? now)
  }
}
