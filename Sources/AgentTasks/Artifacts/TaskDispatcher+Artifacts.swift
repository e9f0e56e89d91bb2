public import AgentStore

extension TaskDispatcher {
  /// Keeps a file with the task that a bot does.
  /// - Throws: `staleLease` when it was given to somebody else meanwhile.
  public func keep(
    _ bytes: [UInt8], as name: String, mediaType: String?, for assignment: Int64,
    by authority: TaskAuthority
  ) async throws -> TaskArtifact {
    let row = try await answerable(assignment, by: authority)
    return
      try await tasks.keep(
        bytes, as: name, mediaType: mediaType, of: row.task, lease: Self.lease(row))
  }
}
