/// Reads the rows of artifacts.
extension SQLiteTaskReader {
  func artifacts(of task: Int64) throws(StoreError) -> [TaskArtifact] {
    var artifacts: [TaskArtifact] = []
    try session.each(
      "SELECT * FROM task_artifacts WHERE task = ? ORDER BY name", .integer(task)
    ) { row throws(StoreError) in artifacts.append(Self.artifact(row)) }
    return artifacts
  }

  private static func artifact(_ row: SQLiteStatement) -> TaskArtifact {
    TaskArtifact(
      task: row.integer(0), name: row.text(1), mediaType: row.text(2), size: row.integer(3),
      timestamp: row.integer(4), file: row.text(5))
  }

  func artifactsOfEndedTasks(limit: Int) throws(StoreError) -> [TaskArtifact] {
    var artifacts: [TaskArtifact] = []
    try session.each(
      """
      SELECT task_artifacts.* FROM task_artifacts CROSS JOIN tasks ON id = task
      WHERE task > 0 AND finished IS NOT NULL ORDER BY task LIMIT ?
      """, .integer(Int64(limit))
    ) { row throws(StoreError) in artifacts.append(Self.artifact(row)) }
    return artifacts
  }
}
