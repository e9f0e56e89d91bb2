internal import AgentSystem

/// Writes the counts and the sums of sizes.
extension SQLiteTasks {
  /// Writes the changes that are collected for each transaction. The group calls it before each
  /// commit.
  func flush() throws(StoreError) {
    var totals: [TaskRow.State: Int64] = [:]
    for (kind, change) in pending.counts where change != 0 {
      totals[kind.state] = (totals[kind.state] ?? 0).adding(change)
      try session.run(
        """
        INSERT INTO task_counts VALUES (?1, ?2, ?3)
        ON CONFLICT DO UPDATE SET count = count + ?3
        """, .text(kind.type), .text(kind.state.rawValue), .integer(change))
    }
    for type in pending.shrunk {
      // A type without tasks has no rows. Otherwise, the table would grow with every former type. A
      // state without tasks keeps its row, because it usually has tasks again soon.
      try session.run(
        """
        DELETE FROM task_counts WHERE type = ?1
          AND NOT EXISTS (SELECT 1 FROM task_counts WHERE type = ?1 AND count > 0)
        """, .text(type))
    }
    for (state, change) in totals where change != 0 {
      try session.run(
        """
        INSERT INTO task_totals VALUES (?1, ?2)
        ON CONFLICT DO UPDATE SET count = count + ?2
        """, .text(state.rawValue), .integer(change))
    }
    var bytes = pending.bytes
    // The key of the sum of all.
    bytes[""] = pending.allBytes
    for (owner, change) in bytes where change != 0 {
      try session.run(
        """
        INSERT INTO task_bytes VALUES (?1, ?2)
        ON CONFLICT DO UPDATE SET bytes = bytes + ?2
        """, .text(owner), .integer(change))
      // Rows without open tasks are removed. Otherwise, the table would grow with every creator.
      if change < 0 {
        try session.run("DELETE FROM task_bytes WHERE owner = ? AND bytes <= 0", .text(owner))
      }
    }
    let sizes = pending.sizes
    for (kind, change) in [
      ("ended", sizes.ended), ("logs", sizes.logs), ("artifacts", sizes.artifacts),
    ] where change != 0 {
      try session.run(
        "UPDATE task_sizes SET bytes = max(0, bytes + ?2) WHERE kind = ?1", .text(kind),
        .integer(change))
    }
    if pending.removed > 0 {
      try session.run(
        "UPDATE task_sequence SET removed = max(removed, ?)", .integer(pending.removed))
    }
  }
}

extension TaskSizes {
  mutating func add(ended: Int64, logs: Int64, artifacts: Int64) {
    self.ended = self.ended.adding(ended)
    self.logs = self.logs.adding(logs)
    self.artifacts = self.artifacts.adding(artifacts)
  }
}
