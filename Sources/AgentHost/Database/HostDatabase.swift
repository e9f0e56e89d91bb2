internal import AgentDiagnostics
internal import AgentLogging
internal import AgentStore
package import AgentWorkers
internal import Synchronization

/// The agent's database, open while the host runs. Any thread.
package final class HostDatabase: Sendable {
  private struct State {
    /// Once it is open.
    var store: SQLiteStore?
    /// The calls that wait for it; nil once it is open, or won't be.
    var waiting: [CheckedContinuation<Void, Never>]? = []
  }

  private let path: String
  private let log: LogHub
  private let hindrance: StoreHindrance
  private let state = Mutex(State())

  /// - Parameter hindrance: gets every condition of the database.
  init(path: String, _ log: LogHub, _ hindrance: StoreHindrance) {
    self.path = path
    self.log = log
    self.hindrance = hindrance
  }

  /// The database; nil before it is open, and after its end.
  var store: SQLiteStore? { state.withLock { $0.store } }

  /// Opens the database. Either way ``settled()`` returns.
  /// - Parameters:
  ///   - acceptsWrites: called when writes are accepted again, on the writer's thread; must not
  ///     wait.
  ///   - prepare: opens what is kept in the database, before anybody else can find it.
  /// - Throws: `failed` when the database or a part of it can't be opened.
  func open(
    maxBytes: Int64, acceptsWrites: @escaping @Sendable () -> Void,
    _ prepare: (SQLiteStore) async throws -> Void
  ) async throws(HostError) {
    // Also after an error: requests that wait for the database must be answered.
    defer { endWaits() }
    var configuration = SQLiteStoreConfiguration(path: path)
    configuration.conditionChanged = { [log, hindrance] condition in
      Self.report(condition, to: log)
      if hindrance.changed(to: condition) { acceptsWrites() }
    }
    configuration.notice = { [log] in log.log(.notice, $0) }
    configuration.maxBytes = maxBytes
    do {
      let store = try await SQLiteStore.open(configuration)
      try await prepare(store)
      // Last: a request that finds the store finds all that is opened above.
      state.withLock { $0.store = store }
    } catch {
      throw HostError(.failed, "The agent's database can't be opened. \(error)")
    }
  }

  /// Returns once the database is open, or won't be.
  package func settled() async {
    await withCheckedContinuation { continuation in
      let mustWait = state.withLock { state in
        // Under the lock together with the question, or the resumption could fall in between.
        state.waiting?.append(continuation)
        return state.waiting != nil
      }
      if !mustWait { continuation.resume() }
    }
  }

  /// Ends the waits of ``settled()``.
  func endWaits() {
    for waiting in state.withLock({ $0.waiting.take() }) ?? [] { waiting.resume() }
  }

  /// Copies the database to a file that doesn't exist yet, while the host works.
  /// - Throws: `HostError` with what stands in the way.
  package func backup(to file: String) async throws(HostError) {
    try await StoreFile.backup(try openStore(), to: file)
  }

  /// Gives the space of what was removed back to the disk, while the host works.
  /// - Returns: how many bytes the file has become smaller.
  /// - Throws: `HostError` with what stands in the way.
  package func compact() async throws(HostError) -> Int64 {
    try await StoreFile.compact(try openStore())
  }

  /// - Throws: `notReady` while the database isn't open.
  func openStore() throws(HostError) -> SQLiteStore {
    guard let store else { throw HostError(.notReady, "The database isn't open yet.") }
    return store
  }

  /// Applies a new limit to the open database. A failure is a warning in the log.
  func limit(bytes: Int64) async {
    do {
      try await store?.limit(bytes: bytes)
    } catch {
      log.log(.warning, "The database's limit could not be changed. \(error)")
    }
  }

  /// Closes the database once its queue is written. Nobody finds it any more from the first moment.
  /// - Parameter beforehand: the last writes of other parts.
  func close(_ beforehand: () async -> Void) async {
    let store = state.withLock { $0.store.take() }
    await beforehand()
    await store?.close()
  }

  /// Logs what keeps the database from writing, and when that is over.
  private static func report(_ condition: StoreCondition, to log: LogHub) {
    if let obstacle = condition.obstacle {
      log.log(.critical, "Nothing can be stored: \(obstacle.message)")
    } else if condition == .ready {
      log.log(.notice, "The database accepts writes again.")
    }
  }
}
