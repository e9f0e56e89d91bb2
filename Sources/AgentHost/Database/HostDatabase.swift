internal import AgentDiagnostics
internal import AgentLogging
internal import AgentStore
internal import AgentSystem
package import AgentWorkers
internal import Synchronization

/// The agent's database, open while the host runs. Any thread.
package final class HostDatabase: Sendable {
  private struct State {
    /// Once it is open.
    var store: SQLiteStore?
    /// Why it can't be opened now.
    var obstacle: StoreCondition?
    /// The calls that wait for it; nil once it is open, or won't be.
    var waiting: [CheckedContinuation<Void, Never>]? = []
  }

  private let path: String
  private let log: LogHub
  private let hindrance: StoreHindrance
  private let openFile: @Sendable (SQLiteStoreConfiguration) async throws -> SQLiteStore
  private let pause: @Sendable (Duration) async throws -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - hindrance: gets every condition of the database.
  ///   - openFile: opens the file; tests let it fail.
  init(
    path: String, _ log: LogHub, _ hindrance: StoreHindrance,
    openFile: @escaping @Sendable (SQLiteStoreConfiguration) async throws -> SQLiteStore = {
      try await SQLiteStore.open($0)
    },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.path = path
    self.log = log
    self.hindrance = hindrance
    self.openFile = openFile
    self.pause = pause
  }

  /// The database; nil before it is open, and after its end.
  var store: SQLiteStore? { state.withLock { $0.store } }

  /// Whether it takes writes; nil while it is being opened, and after its end.
  var condition: StoreCondition? {
    let (store, obstacle) = state.withLock { ($0.store, $0.obstacle) }
    return store?.condition ?? obstacle
  }

  /// Opens the database. Either way ``settled()`` returns.
  /// - Parameters:
  ///   - waitsForRoom: whether a step that fails because the disk is full is repeated until there
  ///     is room, and `prepare` also while the disk can't be read or written. A host that ended
  ///     instead would have to be started by hand.
  ///   - acceptsWrites: called when writes are accepted again, on the writer's thread; must not
  ///     wait.
  ///   - prepare: opens what is kept in the database, before anybody else can find it. It is called
  ///     again when the disk gets full or fails meanwhile, so what it does must be repeatable.
  /// - Throws: `failed` when the database or a part of it can't be opened.
  func open(
    maxBytes: Int64, waitsForRoom: Bool, acceptsWrites: @escaping @Sendable () -> Void,
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
      let store = try await open(configuration, waitsForRoom: waitsForRoom)
      // The open database logs by itself why it takes no writes. It says nothing of the start.
      try await retry.run(
        "Users, tokens and events can't be opened yet.",
        while: { waitsForRoom && $0.mayPass }, noting: { _ = keep($0) }
      ) {
        try await prepare(store)
      }
      // Last: a request that finds the store finds all that is opened above.
      state.withLock {
        $0.store = store
        $0.obstacle = nil
      }
    } catch {
      throw HostError(.failed, "The agent's database can't be opened. \(error)")
    }
  }

  private func open(
    _ configuration: SQLiteStoreConfiguration, waitsForRoom: Bool
  ) async throws -> SQLiteStore {
    let store = try await retry.run(while: { waitsForRoom && $0.code == .full }) { error in
      // Logged once, as by an open database.
      if let obstacle = keep(error) { Self.report(obstacle, to: log) }
    } _: {
      try await openFile(configuration)
    }
    if condition != nil { Self.report(.ready, to: log) }
    return store
  }

  /// Repeats steps of the opening until the host ends, which ends the waits.
  private var retry: StoreRetry {
    StoreRetry(
      log: log, isEnding: { [self] in state.withLock { $0.waiting == nil } }, pause: pause)
  }

  /// Keeps why the database can't be opened now.
  /// - Returns: the obstacle if it is the first one.
  private func keep(_ error: StoreError) -> StoreCondition? {
    let reason = StoreCondition.Obstacle(since: Timestamp.now(), message: error.message)
    let obstacle: StoreCondition = error.isLackOfRoom ? .full(reason) : .faulty(reason)
    return state.withLock { state in
      // The first one: it says since when.
      guard state.obstacle == nil else { return nil }
      state.obstacle = obstacle
      return obstacle
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
    let (store, obstacle) = state.withLock { ($0.store, $0.obstacle?.obstacle) }
    guard let store else {
      throw HostError(.notReady, obstacle?.message ?? "The database isn't open yet.")
    }
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
