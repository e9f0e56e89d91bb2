public import AgentStore

/// The attempts of a task whose log lines, files and result a caller may read.
public enum ReadableAttempts: Sendable, Hashable {
  /// All attempts, and data that belongs to no attempt.
  case all
  /// The attempts of these assignments, the newest first. There is at least one.
  case own([AssignmentRow])

  /// Determines what a bot may read, from its assignments of one task, the newest first.
  ///
  /// While a bot has the task, it may read everything, because it continues the work of former
  /// attempts. After its attempt has ended, others may do the task with another input, so it may
  /// read only its own data. A bot that rejected the task or let it time out may read nothing.
  /// - Returns: `nil` if the bot may not read the task.
  public init?(of assignments: [AssignmentRow]) {
    if assignments.contains(where: { !$0.state.isEnded }) {
      self = .all
      return
    }
    let own = assignments.filter { $0.state == .completed || $0.state == .failed }
    guard !own.isEmpty else { return nil }
    self = .own(own)
  }

  /// Returns whether the caller may read the data of this attempt.
  func includes(attempt: Int64) -> Bool {
    switch self {
    case .all: true
    case .own(let rows): rows.contains { $0.attempt == attempt }
    }
  }

  /// Returns whether the caller may read this artifact. The row of an artifact has no attempt but a
  /// time. The artifact belongs to the attempt that had the task at that time.
  func includes(_ file: TaskArtifact) -> Bool {
    switch self {
    case .all: true
    case .own(let rows):
      rows.contains { row in
        // From the assignment on, because a bot may store artifacts and complete without accepting.
        row.created <= file.timestamp && row.ended.map { file.timestamp <= $0 } ?? false
      }
    }
  }
}
