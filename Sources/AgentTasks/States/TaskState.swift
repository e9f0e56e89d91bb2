public import AgentStore

/// The state of a task. docs/tasks.md draws the transitions.
public typealias TaskState = TaskRow.State

extension TaskState {
  /// The states that may follow. A transition to any other throws `conflict`.
  public var successors: Set<TaskState> {
    switch self {
    case .waiting: [.scheduled, .queued, .cancelled]
    // `waitApart` schedules a task that is scheduled already, and one that is queued.
    case .scheduled: [.scheduled, .queued, .cancelled, .dead]
    case .queued: [.scheduled, .assigned, .running, .cancelled, .dead]
    // A bot may report an end without having accepted first.
    case .assigned:
      [.queued, .scheduled, .running, .succeeded, .failed, .cancelled, .dead]
    case .running: [.queued, .scheduled, .succeeded, .failed, .cancelled, .dead]
    // A retry and a new execution go on with the same task under its number.
    case .succeeded, .failed, .cancelled, .dead: [.queued, .scheduled]
    }
  }

  /// Whether nothing happens to it any more until somebody executes or retries it.
  public var isEnded: Bool {
    switch self {
    case .succeeded, .failed, .cancelled, .dead: true
    case .waiting, .scheduled, .queued, .assigned, .running: false
    }
  }

  /// Whether the host or a bot has a lease on it.
  public var isHeld: Bool { self == .assigned || self == .running }

  /// The name that the task service uses: `waiting_execution` and so on.
  public var serviceName: String {
    switch self {
    case .waiting: "waiting_execution"
    case .scheduled: "scheduled"
    case .queued: "queued"
    case .assigned: "assigned"
    case .running: "in_execution"
    case .succeeded: "completed"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .dead: "dead"
    }
  }

  /// The state of a name, its own or the task service's.
  public init?(name: String) {
    guard
      let found = TaskState.allCases.first(where: { $0.rawValue == name || $0.serviceName == name })
    else { return nil }
    self = found
  }
}
