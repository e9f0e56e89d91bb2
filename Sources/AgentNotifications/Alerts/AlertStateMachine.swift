internal import AgentSystem

/// The state of an alert and the times of its notices. It is pure: the caller passes the time.
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
  /// The phase of an alert.
  enum Phase: Hashable, Sendable {
    /// A notice is due at this moment, in Unix milliseconds, unless quiet hours hold it back.
    case pending(NoticeKind, due: Int64)
    /// The notice was sent, and nothing is due.
    case noticeSent
    /// Somebody handles the alert.
    case acknowledged
    /// The alert is over.
    case resolved(at: Int64)
  }

  /// The timing of a rule.
  struct Policy: Sendable {
    /// Milliseconds before the first notice.
    var groupWait: Int64 = 0
    /// Milliseconds between repeated notices. Nil means that notices aren't repeated.
    var repeatAfter: Int64?
    /// The hours in which notices are held back.
    var quiet: QuietHours?
  }

  /// An act that the caller must perform.
  enum Action: Hashable, Sendable {
    case nothing
    /// Send a notice, not before this moment in Unix milliseconds.
    case notify(NoticeKind, notBefore: Int64)
  }

  private(set) var phase: Phase
  private(set) var severity: AlertSeverity
  private(set) var count: Int64
  let opened: Int64
  /// When the alert was last raised.
  private(set) var updated: Int64
  /// When the last notice was queued.
  private(set) var notified: Int64?

  /// Restores a stored alert.
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

  /// Makes an alert that was raised for the first time. The caller then calls ``advance(to:_:)``.
  init(raised severity: AlertSeverity, at now: Int64, _ policy: Policy) {
    self.init(
      phase: .pending(.opened, due: now.adding(policy.groupWait)), severity: severity, count: 1,
      opened: now, updated: now, notified: nil)
  }

  /// When to call ``advance(to:_:)``. Nil when nothing is due.
  var due: Int64? {
    if case .pending(_, let due) = phase { due } else { nil }
  }

  /// Whether the alert isn't over.
  var isCurrent: Bool {
    if case .resolved = phase { false } else { true }
  }

  /// Records that the alert was raised again.
  mutating func raise(_ severity: AlertSeverity, at now: Int64, _ policy: Policy) -> Action {
    guard isCurrent else { return .nothing }
    count = count.adding(1)
    updated = max(updated, now)
    if severity > self.severity {
      self.severity = severity
      switch phase {
      case .pending(.opened, let due):
        // Quiet hours may hold the notice back. A higher severity may pass them.
        phase = .pending(.opened, due: min(due, max(now, opened.adding(policy.groupWait))))
      case .pending(.escalated, _), .pending(.repeated, _), .noticeSent, .acknowledged:
        phase = .pending(.escalated, due: now)
      case .pending, .resolved: break
      }
    }
    return advance(to: now, policy)
  }

  /// Returns the act that is due now.
  mutating func advance(to now: Int64, _ policy: Policy) -> Action {
    guard case .pending(let kind, let due) = phase, due <= now else { return .nothing }
    if let end = policy.quiet?.end(for: severity, at: now) {
      phase = .pending(kind, due: end)
      return .nothing
    }
    notified = now
    phase = policy.repeatAfter.map { .pending(.repeated, due: now.adding($0)) } ?? .noticeSent
    return .notify(kind, notBefore: now)
  }

  /// Records that somebody handles the alert. Notices aren't repeated unless the severity rises.
  /// - Returns: whether that changes anything.
  mutating func acknowledge() -> Bool {
    switch phase {
    case .pending, .noticeSent:
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
    return .notify(.resolved, notBefore: policy.quiet?.end(for: severity, at: now) ?? now)
  }
}
