internal import AgentStore

/// Converts the state of an alert to and from its row.
extension AlertStateMachine {
  /// Restores the stored state.
  init(_ row: AlertRow) {
    let phase: Phase =
      switch row.state {
      case .open:
        if let due = row.due, let kind = row.pending.flatMap(NoticeKind.init(rawValue:)) {
          .pending(kind, due: due)
        } else {
          .noticeSent
        }
      case .acknowledged: .acknowledged
      case .resolved: .resolved(at: row.closed ?? row.updated)
      }
    self.init(
      phase: phase, severity: AlertSeverity(rawValue: row.severity) ?? .warning, count: row.count,
      opened: row.opened, updated: row.updated, notified: row.notified)
  }

  /// Writes the state into its row.
  func store(in row: inout AlertRow) {
    row.severity = severity.rawValue
    row.count = count
    row.updated = updated
    row.notified = notified
    row.due = due
    row.pending = nil
    switch phase {
    case .pending(let kind, _):
      row.state = .open
      row.pending = kind.rawValue
    case .noticeSent: row.state = .open
    case .acknowledged: row.state = .acknowledged
    case .resolved(let moment):
      row.state = .resolved
      row.closed = moment
    }
  }
}
