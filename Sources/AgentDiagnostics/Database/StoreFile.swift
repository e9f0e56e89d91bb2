package import AgentAccess
internal import AgentModules
package import AgentSettings
package import AgentStore
internal import AgentSystem
internal import AgentTasks
package import AgentWorkers
internal import Glibc
internal import Synchronization

/// The database of an agent that doesn't run.
package enum StoreFile {
  /// Copies it to a file that doesn't exist yet.
  /// - Throws: `HostError` with what stands in the way, such as a host that has it open.
  package static func backup(of folder: AgentFolder, to file: String) async throws(HostError) {
    guard FileSystem.exists(folder.store) else {
      throw HostError(.notFound, "There is no \(folder.store) yet: this agent never ran.")
    }
    try await use(of: folder) { store throws(HostError) in try await backup(store, to: file) }
  }

  /// Gives the space of what was removed back to the disk.
  /// - Returns: how many bytes the file has become smaller.
  /// - Throws: `HostError` with what stands in the way, such as a host that has it open.
  package static func compact(_ folder: AgentFolder) async throws(HostError) -> Int64 {
    try prepare(folder, makes: false)
    return try await use(of: folder) { store throws(HostError) in try await compact(store) }
  }

  package static func compact(_ store: SQLiteStore) async throws(HostError) -> Int64 {
    do {
      return try await store.compact()
    } catch {
      throw HostError(.failed, "The database can't release space. \(error)")
    }
  }

  /// Works with the state of its processes, as with that of an agent that runs.
  /// - Parameter makes: whether a database is made where there is none yet.
  package static func state<Result: Sendable>(
    of folder: AgentFolder, makes: Bool = false,
    _ body: (StateAccess) async throws(HostError) -> Result
  ) async throws(HostError) -> Result {
    try prepare(folder, makes: makes)
    // Settings with errors say less about who may own state, and are no reason to refuse.
    let settings = SettingsFile.load(folder, options: .init(strict: false)).settings
    return try await use(of: folder) { store throws(HostError) in
      try await body(
        StateAccess(store: store, names: settings.map { StateAccess.names(in: $0) }))
    }
  }

  /// Works with its users, tokens and audit log, as with those of an agent that runs.
  /// - Parameter makes: whether a database is made where there is none yet.
  /// - Throws: `HostError`, or what `body` throws.
  package static func access<Result: Sendable>(
    of folder: AgentFolder, makes: Bool = false, _ body: (AccessControl) async throws -> Result
  ) async throws -> Result {
    try prepare(folder, makes: makes)
    let settings = SettingsFile.load(folder, options: .init(strict: false)).settings
    let complaints = Mutex<[String]>([])
    let outcome = try await use(of: folder) { store throws(HostError) in
      let access = AccessControl(now: { Timestamp.now() }) { complaint in
        // Kept until the end: there is no host's log to write them to.
        complaints.withLock { $0.append(complaint) }
      }
      do {
        try await access.open(store)
        // The secret of the first start goes with the first user, here too.
        _ = try access.expectSetup(with: AccessControl.newSetupSecret()) {
          unlink(folder.setupSecret)
        }
        if let settings { _ = await access.adopt(settings.access) }
      } catch {
        throw HostError(.failed, "The agent's database can't be read. \(error)")
      }
      let outcome: Swift.Result<Result, any Error>
      do {
        outcome = .success(try await body(access))
      } catch {
        outcome = .failure(error)
      }
      // Also after an error: `close` stores what is known only in memory, such as refusals.
      await access.close()
      return outcome
    }
    if let complaint = complaints.withLock(\.first) { throw HostError(.failed, complaint) }
    return try outcome.get()
  }

  private static func prepare(_ folder: AgentFolder, makes: Bool) throws(HostError) {
    if makes {
      do {
        try folder.prepare()
      } catch {
        throw HostError(.failed, error.description)
      }
    } else if !FileSystem.exists(folder.store) {
      throw HostError(.notFound, "There is no \(folder.store) yet: this agent never ran.")
    }
  }

  /// The types in the log of events. Empty when the tables are of another version.
  static func eventTypes(of folder: AgentFolder) async throws -> [EventTypeSummary] {
    let file = try await SQLiteStore.inspect(folder.store, checking: false).statistics
    // Opening would migrate the tables, and a look must change nothing.
    guard file.tables == file.latestTables else { return [] }
    return try await read(folder) { store in try await store.read { try $0.events.types() } }
  }

  /// Rows that can't be read, where the tables are of this version.
  static func rowProblems(of folder: AgentFolder) async throws -> [StoredRows.Problem] {
    try await read(folder) { try await StoredRows.problems(in: $0) }
  }

  private static func read<Result: Sendable>(
    _ folder: AgentFolder, _ body: (SQLiteStore) async throws -> Result
  ) async throws -> Result {
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: folder.store))
    do {
      let result = try await body(store)
      await store.close()
      return result
    } catch {
      await store.close()
      throw error
    }
  }

  private static func use<Result: Sendable>(
    of folder: AgentFolder, _ body: (SQLiteStore) async throws(HostError) -> Result
  ) async throws(HostError) -> Result {
    let store: SQLiteStore
    do {
      store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: folder.store))
    } catch {
      throw HostError(.failed, "The agent's database can't be opened. \(error)")
    }
    let outcome: Swift.Result<Result, HostError>
    do {
      outcome = .success(try await body(store))
    } catch {
      outcome = .failure(error)
    }
    await store.close()
    return try outcome.get()
  }

  package static func backup(_ store: SQLiteStore, to file: String) async throws(HostError) {
    do {
      try await store.backup(to: file)
    } catch let error as StoreError where error.code == .invalid {
      throw HostError(.invalid, error.description)
    } catch {
      throw HostError(.failed, "The backup failed. \(error)")
    }
  }
}
