internal import AgentSystem

/// Writes the rows of artifacts.
extension SQLiteTasks {
  func put(_ artifact: TaskArtifact) throws(StoreError) {
    countSizes(
      artifacts: artifact.size.subtracting(try size(ofArtifact: artifact.name, of: artifact.task)))
    try session.run(
      """
      INSERT INTO task_artifacts VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT DO UPDATE SET media_type = ?3, size = ?4, timestamp = ?5, file = ?6
      """,
      .integer(artifact.task), .text(artifact.name), .text(artifact.mediaType),
      .integer(artifact.size), .integer(artifact.timestamp), .text(artifact.file))
  }

  func removeArtifact(_ name: String, of task: Int64) throws(StoreError) {
    countSizes(artifacts: Int64(0).subtracting(try size(ofArtifact: name, of: task)))
    try session.run(
      "DELETE FROM task_artifacts WHERE task = ? AND name = ?", .integer(task), .text(name))
  }

  /// Returns the size of an artifact; 0 if there is none.
  private func size(ofArtifact name: String, of task: Int64) throws(StoreError) -> Int64 {
    try session.first(
      "SELECT size FROM task_artifacts WHERE task = ? AND name = ?", .integer(task), .text(name),
      row: { $0.integer(0) }) ?? 0
  }
}
