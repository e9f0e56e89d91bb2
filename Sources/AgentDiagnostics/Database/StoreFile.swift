package import AgentAccess
internal import AgentModules
package import AgentSettings
package import AgentStore
internal import AgentSystem
internal import AgentTasks
package import AgentWorkers
internal import Glibc
internal import Synchronization

/// The database of an agent that isn't running.
package enum StoreFile {
  /// Copies the database to a file that must not exist yet.
  /// - Throws: `HostError` with the obstacle, such as a host that has the database open.
  package static func backup(of folder: AgentFolder, to file: String) async throws(HostError) {
    guard FileSystem.exists(folder.store) else {
      throw HostError(.notFound, "There is no \(folder.store) yet: this agent never ran.")
    }
    try await use(of: folder) { store throws(HostError) in try await backup(store, to: file) }
  }

  /// Returns the space of removed rows to the disk.
  /// - Returns: the number of bytes by which the file has shrunk.
  /// - Throws: `HostError` with the obstacle, such as a host that has the database open.
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

  /// Calls `body` with the state of the agent's processes, as a running host has it.
  /// - Parameter makes: whether a missing database is created.
  package static func state<Result: Sendable>(
    of folder: AgentFolder, makes: Bool = false,
    _ body: (StateAccess) async throws(HostError) -> Result
  ) async throws(HostError) -> Result {
    try prepare(folder, makes: makes)
    // Settings with errors may omit owners of state. They are no reason to refuse.
    let settings = SettingsFile.load(folder, options: .init(strict: false)).settings
    return try await use(of: folder) { store throws(HostError) in
      try await body(
        StateAccess(store: store, names: settings.map { StateAccess.names(in: $0) }))
    }
  }

  /// Calls `body` with the agent's users, tokens and audit log, as a running host has them.
  /// - Parameter makes: whether a missing database is created.
  /// - Throws: `HostError`, or the error of `body`.
  package static func access<Result: Sendable>(
    of folder: AgentFolder, makes: Bool = false, _ body: (AccessControl) async throws -> Result
  ) async throws -> Result {
    try prepare(folder, makes: makes)
    let settings = SettingsFile.load(folder, options: .init(strict: false)).settings
    let complaints = Mutex<[String]>([])
    let outcome = try await use(of: folder) { store throws(HostError) in
      let access = AccessControl(
        // A command that ends at once can't know whether the clock is right.
        now: { Timestamp.now() }, trustsClock: { false }
      ) { complaint in
        // The complaints are kept until the end, because no host's log is open.
        complaints.withLock { $0.append(complaint) }
      }
      do {
        try await access.open(store)
        // The first user invalidates the secret of the first start, here too.
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
      // Also after an error, because `close` stores values that exist only in memory, such as
      // refusals.
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

  /// Returns the types in the log of events. The result is empty if the tables have another
  /// version.
  static func eventTypes(of folder: AgentFolder) async throws -> [EventTypeSummary] {
    let file = try await SQLiteStore.inspect(folder.store, checking: false).statistics
    // Opening would migrate the tables, but this call must not change anything.
    guard file.tables == file.latestTables else { return [] }
    return try await read(folder) { store in try await store.read { try $0.events.types() } }
  }

  /// Returns rows that can't be read, if the tables have this version.
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
