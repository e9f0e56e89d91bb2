public import AgentStore

/// The files that tasks leave.
extension TaskEngine {
  /// The files that a task has left behind.
  public func artefacts(of id: Int64) async throws -> [TaskArtefact] {
    try await readableStore().read { try $0.tasks.artefacts(of: id) }
  }

  /// One of them, and what is in it.
  /// - Throws: `missing`.
  public func artefact(
    _ name: String, of id: Int64
  ) async throws -> (about: TaskArtefact, bytes: [UInt8]) {
    let all = try await artefacts(of: id)
    guard let shelf, let about = all.first(where: { $0.name == name }) else {
      throw try await missing(name, id, all)
    }
    return (about, try await shelf.read(about))
  }

  /// Keeps a file with a task; one of the same name gives way to it.
  /// - Parameters:
  ///   - mediaType: what is in it; told by the name where it isn't given.
  ///   - lease: the attempt that leaves it; nil for who manages tasks.
  /// - Throws: `staleLease` when the task was given to somebody else meanwhile.
  @discardableResult
  public func keep(
    _ bytes: [UInt8], as name: String, mediaType: String? = nil, of id: Int64,
    lease: TaskLease? = nil
  ) async throws -> TaskArtefact {
    if let problem = ArtefactShelf.problem(withName: name) { throw TaskError(.invalid, problem) }
    guard let shelf else { throw TaskError(.invalid, "This host keeps no artefacts.") }
    guard bytes.count <= ArtefactShelf.mostBytes else {
      throw TaskError(
        .invalid, "An artefact has \(ArtefactShelf.mostBytes) bytes at most; it has \(bytes.count)."
      )
    }
    var artefact = TaskArtefact(
      task: id, name: name, mediaType: mediaType ?? ArtefactMedia.type(ofName: name),
      size: Int64(clamping: bytes.count), timestamp: now())
    let store = try readyStore()
    // Looked at before the disk is used, and again with what is written down.
    _ = try await store.read { [artefact] in try Self.check(artefact, lease, $0.tasks) }
    artefact.file = try await shelf.write(bytes, of: id)
    do {
      let former = try await store.write { [artefact] transaction in
        let former = try Self.check(artefact, lease, transaction.tasks)
        try transaction.tasks.put(artefact)
        return former
      }
      if let former { await shelf.remove(former) }
    } catch {
      // Whoever is too late leaves what is there as it is.
      await shelf.remove(artefact)
      if try await store.read({ try $0.tasks.task(id) }) == nil { await shelf.remove([id]) }
      throw error
    }
    return artefact
  }

  /// Removes one of a task's files.
  /// - Throws: `missing`.
  @discardableResult
  public func removeArtefact(_ name: String, of id: Int64) async throws -> TaskArtefact {
    let all = try await artefacts(of: id)
    guard let artefact = all.first(where: { $0.name == name }) else {
      throw try await missing(name, id, all)
    }
    try await readyStore().write { try $0.tasks.removeArtefact(name, of: id) }
    await shelf?.remove(artefact)
    return artefact
  }

  /// Removes files whose task isn't there any more.
  func sweepArtefacts(_ store: any Store) async {
    guard let shelf else { return }
    do {
      var gone: [Int64] = []
      for id in await shelf.sweep() where try await store.read({ try $0.tasks.task(id) }) == nil {
        gone.append(id)
      }
      await shelf.remove(gone)
    } catch {
      log(.warning, "Files of tasks that are gone can't be removed. \(error)")
    }
  }

  /// - Returns: the one of the same name that is there already.
  @discardableResult
  private static func check(
    _ artefact: TaskArtefact, _ lease: TaskLease?, _ tasks: some TaskReading
  ) throws -> TaskArtefact? {
    guard let row = try tasks.task(artefact.task) else { throw TaskError.unknown(artefact.task) }
    if let lease { try TaskLife(row, now: artefact.timestamp).check(lease) }
    let all = try tasks.artefacts(of: artefact.task)
    let others = all.filter { $0.name != artefact.name }
    guard others.count < ArtefactShelf.mostFiles else {
      throw TaskError(
        .conflict,
        "Task \(artefact.task) has \(ArtefactShelf.mostFiles) artefacts already; remove one.")
    }
    return all.first { $0.name == artefact.name }
  }

  private func missing(
    _ name: String, _ id: Int64, _ all: [TaskArtefact]
  ) async throws -> TaskError {
    _ = try await task(id)
    let names = all.map(\.name)
    return TaskError(
      .missing,
      "Task \(id) has no artefact \"\(name)\"."
        + (names.isEmpty ? " It has none." : " It has \(names.joined(separator: ", "))."))
  }
}
