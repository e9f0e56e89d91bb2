/// The state of a bot, apart from its load. It is pure: events come in, actions come out.
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
  /// The status that the bot or a person set last.
  case said(BotStatus)
  /// The heartbeats stopped while the bot had this status. It is shown as offline.
  case lost(was: BotStatus)
  /// The bot is no longer registered.
  case gone

  /// An event that changes the state of a bot.
  public enum Event: Sendable, Hashable {
    /// A heartbeat arrived.
    case heartbeat
    /// No heartbeat arrived for too long.
    case heartbeatMissed
    /// The bot or a person sets its status.
    case said(BotStatus)
    /// The bot is removed from the registry.
    case unregister
  }

  /// The status, apart from load.
  public var status: BotStatus {
    switch self {
    case .said(let status): status
    case .lost, .gone: .offline
    }
  }

  /// Whether the bot would take tasks if it had a free slot.
  public var takesTasks: Bool { self == .said(.online) }

  /// Applies an event.
  /// - Returns: the actions that the caller must perform, in order. Empty where nothing changes.
  public mutating func apply(_ event: Event) -> [BotAction] {
    switch (self, event) {
    case (.gone, _): return []
    case (_, .unregister):
      self = .gone
      return [.requeueTasks, .forget]
    case (.said(let status), .heartbeatMissed):
      // A bot that is known to be away has no heartbeat to miss.
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

/// The status of a bot as it is shown.
public enum BotStatus: String, Sendable, Hashable, CaseIterable {
  /// The bot takes tasks.
  case online
  /// The bot has no free slot, or reports that it is busy.
  case busy
  /// The bot ends the tasks that it has and takes no new ones.
  case draining
  /// The bot is away. It has reported that, or its heartbeats have stopped.
  case offline
  /// The bot has a fault that a person must examine.
  case error

  /// Whether the bot's tasks are requeued when it gets this status.
  var losesTasks: Bool { self == .offline || self == .error }
}

/// An act that the caller must perform after a bot changed.
public enum BotAction: Sendable, Hashable {
  /// Publish that its status is now this one.
  case announce(BotStatus)
  /// Requeue its tasks for other bots.
  case requeueTasks
  /// The bot was draining and has no task left. It can be stopped.
  case drained
  /// Remove the bot.
  case forget
}
