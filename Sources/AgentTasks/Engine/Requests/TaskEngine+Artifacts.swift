public import AgentStore
internal import AgentSystem
internal import Synchronization

/// Stores and reads the artifacts of tasks.
extension TaskEngine {
  /// Returns the artifacts of a task, limited to `attempts`.
  public func artifacts(
    of id: Int64, attempts: ReadableAttempts = .all
  ) async throws -> [TaskArtifact] {
    let all = try await readableStore().read { try $0.tasks.artifacts(of: id) }
    return all.filter { attempts.includes($0) }
  }

  /// Returns an artifact with its bytes.
  /// - Throws: `missing`.
  public func artifact(
    _ name: String, of id: Int64, attempts: ReadableAttempts = .all
  ) async throws -> (about: TaskArtifact, bytes: [UInt8]) {
    let all = try await artifacts(of: id, attempts: attempts)
    guard let artifactStore, let about = all.first(where: { $0.name == name }) else {
      throw try await missing(name, id: id, all: all)
    }
    return (about, try await artifactStore.read(about))
  }

  /// Stores an artifact. It replaces a former one with the same name.
  /// - Parameters:
  ///   - mediaType: the media type; `nil` to derive it from the name.
  ///   - lease: the lease of the attempt that stores it; `nil` for a caller that manages tasks.
  /// - Throws: `staleLease` if the lease has ended; `conflict` if the artifacts of all tasks would
  ///   have too many bytes.
  @discardableResult
  public func keep(
    _ bytes: [UInt8], as name: String, mediaType: String? = nil, of id: Int64,
    lease: TaskLease? = nil
  ) async throws -> TaskArtifact {
    if let problem = ArtifactStore.problem(withName: name) { throw TaskError(.invalid, problem) }
    guard let artifactStore else { throw TaskError(.invalid, "This host stores no artifacts.") }
    guard bytes.count <= ArtifactStore.maxBytes else {
      throw TaskError(
        .invalid, "An artifact has \(ArtifactStore.maxBytes) bytes at most; it has \(bytes.count)."
      )
    }
    var artifact = TaskArtifact(
      task: id, name: name, mediaType: mediaType ?? ArtifactMedia.type(ofName: name),
      size: Int64(clamping: bytes.count), timestamp: now())
    let (store, most) = (try readyStore(), plan.maxArtifactBytes)
    // Checked before the disk is used, and again in the transaction that stores the row.
    _ = try await store.read { [artifact] in
      try Self.check(artifact, lease: lease, within: most, tasks: $0.tasks)
    }
    artifact.file = try await artifactStore.write(bytes, of: id)
    // The files of the former and the new row, once the write has changed the row. A write that
    // fails before that isn't stored, whatever its error.
    let files = Mutex<[TaskArtifact]>([])
    do {
      let former = try await store.write { [artifact] transaction in
        let former = try Self.check(
          artifact, lease: lease, within: most, tasks: transaction.tasks)
        try transaction.tasks.put(artifact)
        files.withLock { $0 = [former, artifact].compactMap(\.self) }
        return former
      }
      if let former { await artifactStore.remove(former) }
    } catch {
      let doubtful = Self.isDoubtful(error) ? files.withLock(\.self) : []
      guard doubtful.isEmpty else {
        // The row may name either file, so both stay until it can be read again.
        state.withLock { $0.doubtfulFiles += doubtful }
        // With a delay: the database isn't open again yet.
        wakeTimer.ring(at: now().adding(1_000), now: now())
        throw error
      }
      // The row wasn't stored, so a former artifact with the same name stays valid and only the new
      // file is removed.
      await artifactStore.remove(artifact)
      // A task that was removed in the meantime can't remove the new folder any more.
      if try await store.read({ try $0.tasks.task(id) }) == nil { await artifactStore.remove([id]) }
      throw error
    }
    return artifact
  }

  /// Removes an artifact.
  /// - Throws: `missing`.
  @discardableResult
  public func removeArtifact(_ name: String, of id: Int64) async throws -> TaskArtifact {
    let all = try await artifacts(of: id)
    guard let artifact = all.first(where: { $0.name == name }) else {
      throw try await missing(name, id: id, all: all)
    }
    // The row first. A file without a row is removed with its task, but a row needs its file.
    try await readyStore().write { try $0.tasks.removeArtifact(name, of: id) }
    await artifactStore?.remove(artifact)
    return artifact
  }

  /// Removes the files that no row names, of those whose rows were changed by a write with an
  /// unknown result. If the host ends before that, they remain until their task is removed.
  func removeUnnamedFiles(_ store: any Store) async throws {
    let doubtful = state.withLock(\.doubtfulFiles)
    guard let artifactStore, !doubtful.isEmpty else { return }
    // In a write. A read may still find the former row, until the failed file is reopened and the
    // new one appears. It changes nothing, so it is tried on a full disk too.
    let (unnamed, gone) = try await store.write(.freeing) { transaction in
      let tasks = transaction.tasks
      return (
        try doubtful.filter { file in
          try !tasks.artifacts(of: file.task).contains {
            file.name == $0.name && file.file == $0.file
          }
        },
        try doubtful.map(\.task).filter { try tasks.task($0) == nil }
      )
    }
    for file in unnamed { await artifactStore.remove(file) }
    await artifactStore.remove(gone)
    state.withLock { $0.doubtfulFiles.removeAll { doubtful.contains($0) } }
  }

  /// Removes the files of tasks that don't exist any more.
  func sweepArtifacts(_ store: any Store) async {
    guard let artifactStore else { return }
    do {
      var gone: [Int64] = []
      for id in await artifactStore.sweep()
      where try await store.read({ try $0.tasks.task(id) }) == nil {
        gone.append(id)
      }
      await artifactStore.remove(gone)
    } catch {
      log(.warning, "Files of deleted tasks can't be removed. \(error)")
    }
  }

  /// - Returns: the existing artifact with the same name.
  @discardableResult
  private static func check(
    _ artifact: TaskArtifact, lease: TaskLease?, within most: Int64, tasks: some TaskReader
  ) throws -> TaskArtifact? {
    guard let row = try tasks.task(artifact.task) else { throw TaskError.unknown(artifact.task) }
    if let lease { try TaskStateMachine(row, now: artifact.timestamp).check(lease) }
    let all = try tasks.artifacts(of: artifact.task)
    let others = all.filter { $0.name != artifact.name }
    guard others.count < ArtifactStore.maxFiles else {
      throw TaskError(
        .conflict,
        "Task \(artifact.task) has \(ArtifactStore.maxFiles) artifacts already; remove one.")
    }
    let former = all.first { $0.name == artifact.name }
    let bytes = try tasks.taskSizes().artifacts.adding(artifact.size)
      .subtracting(former?.size ?? 0)
    guard bytes <= most || artifact.size <= former?.size ?? 0 else {
      throw TaskError(
        .conflict,
        "The artifacts of all tasks would have \(bytes) bytes with this one, and may have at most "
          + "\(most) (tasks.max_artifact_bytes). Those of ended tasks are removed soon; or remove "
          + "some.")
    }
    return former
  }

  /// Returns the error for a missing artifact, or throws the error for a missing task.
  private func missing(
    _ name: String, id: Int64, all: [TaskArtifact]
  ) async throws -> TaskError {
    _ = try await task(id)
    let names = all.map(\.name)
    return TaskError(
      .missing,
      "Task \(id) has no artifact \"\(name)\"."
        + (names.isEmpty ? " It has none." : " It has \(names.joined(separator: ", "))."))
  }
}
