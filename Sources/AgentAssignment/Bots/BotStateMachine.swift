/// What a bot goes through, as far as it doesn't follow from its load. Pure: it is told what
/// happens.
///
/// ```
///                 said                heartbeat missed
///   online ◀──────────────▶ busy    ┌──────────────────▶ lost(online | busy | draining)
///      ▲ ▲      ╲        ╱          │                      │
///      │ └──────▶ draining ─────────┘◀─────────────────────┘
///      ▼                                   heartbeat
///   offline ◀────▶ error                 (unregister: any ─▶ gone)
/// ```
public enum BotStateMachine: Sendable, Hashable {
  /// What was last said of it, by itself or by somebody.
  case said(BotStatus)
  /// Its heartbeats stopped when this was said of it. It is shown as offline.
  case lost(was: BotStatus)
  /// It isn't registered any more.
  case gone

  /// What happens to a bot.
  public enum Event: Sendable, Hashable {
    /// It is there.
    case heartbeat
    /// It wasn't heard of for too long.
    case heartbeatMissed
    /// It, or somebody, says how it stands.
    case said(BotStatus)
    /// It is taken from the register.
    case unregister
  }

  /// How it stands, load left aside.
  public var status: BotStatus {
    switch self {
    case .said(let status): status
    case .lost, .gone: .offline
    }
  }

  /// Whether it would take tasks if it had room.
  public var takesTasks: Bool { self == .said(.online) }

  /// Something happens.
  /// - Returns: what is to be done, in order; nothing where nothing changes.
  public mutating func apply(_ event: Event) -> [BotAction] {
    switch (self, event) {
    case (.gone, _): return []
    case (_, .unregister):
      self = .gone
      return [.requeueTasks, .forget]
    case (.said(let status), .heartbeatMissed):
      // Who is known to be away isn't missed.
      return status.losesTasks ? [] : move(to: .lost(was: status))
    case (.lost(let status), .heartbeat): return move(to: .said(status))
    case (_, .said(let status)): return move(to: .said(status))
    case (.said, .heartbeat), (.lost, .heartbeatMissed): return []
    }
  }

  private mutating func move(to next: BotStateMachine) -> [BotAction] {
    let before = status
    self = next
    guard status != before else { return [] }
    var actions = [BotAction.announce(status)]
    if status.losesTasks, !before.losesTasks { actions.append(.requeueTasks) }
    return actions
  }
}
