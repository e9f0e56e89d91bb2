public import AgentStore

/// The state of a task. docs/tasks.md shows the transitions.
public typealias TaskState = TaskRow.State

extension TaskState {
  /// The possible next states. A transition to any other state throws `conflict`.
  public var successors: Set<TaskState> {
    switch self {
    case .waiting: [.scheduled, .queued, .cancelled]
    // `waitApart` schedules tasks that are scheduled already, and queued tasks.
    case .scheduled: [.scheduled, .queued, .cancelled, .dead]
    case .queued: [.scheduled, .assigned, .running, .cancelled, .dead]
    // A bot may report an end without accepting first.
    case .assigned:
      [.queued, .scheduled, .running, .succeeded, .failed, .cancelled, .dead]
    case .running: [.queued, .scheduled, .succeeded, .failed, .cancelled, .dead]
    // A retry and a new execution continue the same task with the same number.
    case .succeeded, .failed, .cancelled, .dead: [.queued, .scheduled]
    }
  }

  /// Whether the task has ended. It changes only if it is executed or retried.
  public var isEnded: Bool {
    switch self {
    case .succeeded, .failed, .cancelled, .dead: true
    case .waiting, .scheduled, .queued, .assigned, .running: false
    }
  }

  /// Whether the host or a bot has a lease for the task.
  public var isHeld: Bool { self == .assigned || self == .running }

  /// The name in the API of the task service (docs/tasks.md), such as `waiting_execution`.
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

  /// Creates the state of a name, which may be that of the agent or of the task service.
  public init?(name: String) {
    guard
      let found = TaskState.allCases.first(where: { $0.rawValue == name || $0.serviceName == name })
    else { return nil }
    self = found
  }
}
