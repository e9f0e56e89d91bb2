public import AgentStore

/// The attempts of a task whose log lines, files and result a caller may read.
public enum ReadableAttempts: Sendable, Hashable {
  /// Every attempt, and what no attempt has left.
  case all
  /// Only the attempts of these assignments, the newest first; there is at least one.
  case own([AssignmentRow])

  /// What a bot may read by its assignments of one task, the newest first.
  ///
  /// While the bot has the task it may read all of it: what earlier attempts have left is what it
  /// goes on with. After it has ended an attempt, others may do the task, with another input, so
  /// that only what is its own stays open. A bot that rejected the task or let it pass never did it.
  /// - Returns: nil when it may not read the task.
  public init?(of assignments: [AssignmentRow]) {
    if assignments.contains(where: { !$0.state.isEnded }) {
      self = .all
      return
    }
    let own = assignments.filter { $0.state == .completed || $0.state == .failed }
    guard !own.isEmpty else { return nil }
    self = .own(own)
  }

  /// Whether the caller may read what this attempt has written.
  func includes(attempt: Int64) -> Bool {
    switch self {
    case .all: true
    case .own(let rows): rows.contains { $0.attempt == attempt }
    }
  }

  /// Whether the caller may read this file. The row of a file doesn't say which attempt has left it,
  /// but when: it belongs to the attempt that had the task then.
  func includes(_ file: TaskArtifact) -> Bool {
    switch self {
    case .all: true
    case .own(let rows):
      rows.contains { row in
        // From the offer on: a bot may leave files, and complete, without having accepted.
        row.created <= file.timestamp && row.ended.map { file.timestamp <= $0 } ?? false
      }
    }
  }
}
