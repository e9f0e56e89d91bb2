internal import AgentAccess
internal import AgentDiagnostics
internal import AgentEvents
internal import AgentLogging
internal import AgentSettings
internal import AgentStore
internal import AgentSupervision
package import AgentWorkers
internal import Synchronization

/// The agent's database, open while the host runs.
extension HostApplication {
  /// Opens the database and what is kept in it. Events that were published before are stored now.
  /// Throws `failed` when the database can't be opened. Either way ``databaseIsOpen()`` returns.
  func openStore() async throws {
    // Also after an error: requests that wait for the database must be answered.
    defer {
      for waiting in state.withLock({ $0.awaitsDatabase.take() }) ?? [] { waiting.resume() }
    }
    var configuration = SQLiteStoreConfiguration(path: folder.store)
    configuration.conditionChanged = { [log, hindrance, supervisor] condition in
      Self.tell(condition, to: log)
      // In a task, since the writer's thread calls this and mustn't wait for the supervisor.
      if hindrance.changed(to: condition) { Task { await supervisor.endHindrance() } }
    }
    configuration.notice = { [log] in log.log(.notice, $0) }
    configuration.maxBytes = Int64(settings.store.maxBytes)
    let store: SQLiteStore
    do {
      store = try await SQLiteStore.open(configuration)
      let traced = TracedStore(store, tracer)
      try await openAccess(traced)
      // Before the log of events, which begins to store what waits for it.
      if safeMode == nil { await prepareNotifications(traced) }
      try await events.open(traced)
      stateService.open(traced)
    } catch {
      throw HostError(.failed, "The agent's database can't be opened. \(error)")
    }
    // Last: a request that finds the store finds all that is opened above.
    state.withLock { $0.store = store }
  }

  /// Returns once the database is open, or won't be.
  package func databaseIsOpen() async {
    await withCheckedContinuation { continuation in
      let mustWait = state.withLock { state in
        // Under the lock together with the question, or the resumption could fall in between.
        state.awaitsDatabase?.append(continuation)
        return state.awaitsDatabase != nil
      }
      if !mustWait { continuation.resume() }
    }
  }

  /// Copies the database to a file that doesn't exist yet, while the host works.
  /// - Throws: `HostError` with what stands in the way.
  package func backup(to file: String) async throws(HostError) {
    guard let store = state.withLock({ $0.store }) else {
      throw HostError(.notReady, "The database isn't open yet.")
    }
    try await StoreFile.backup(store, to: file)
  }

  /// Gives the room of what was removed back to the disk, while the host works.
  /// - Returns: how many bytes the file has become smaller.
  /// - Throws: `HostError` with what stands in the way.
  package func compactStore() async throws(HostError) -> Int64 {
    guard let store = state.withLock({ $0.store }) else {
      throw HostError(.notReady, "The database isn't open yet.")
    }
    return try await StoreFile.compact(store)
  }

  /// Applies the settings' limit to the open database. A failure is a warning in the log.
  func limitStore(by settings: AgentSettings) async {
    guard let store = state.withLock({ $0.store }) else { return }
    do {
      try await store.limit(bytes: Int64(settings.store.maxBytes))
    } catch {
      log.log(.warning, "The database's limit could not be changed. \(error)")
    }
  }

  /// The state of processes, for people.
  /// - Throws: `notReady` while the database isn't open.
  package func keptState() throws(HostError) -> StateAccess {
    guard let store = state.withLock({ $0.store }) else {
      throw HostError(.notReady, "The database isn't open yet.")
    }
    return StateAccess(
      store: TracedStore(store, tracer), names: StateAccess.names(in: settings))
  }

  /// Closes the database once its queue is written. Nothing can be published after this.
  func closeStore() async {
    let store = state.withLock { state in
      defer { state.store = nil }
      return state.store
    }
    // Services first: a late call is refused instead of failing in the store.
    stateService.close()
    // It stores the last use of tokens, so the database must still be open.
    await access.close()
    await store?.close()
  }

  /// Removes events from the log by the settings' retention, once a minute, until the task is
  /// cancelled.
  ///
  /// Rationale: there are two bounds of bytes. `maxTotalBytes` is what the log itself may have; the cap
  /// of ``eventCap()`` is there while the whole file is nearly full, whatever else fills it.
  func keepRetention() async {
    while !Task.isCancelled {
      let settings = settings.events
      do {
        // Anew each time: other data than events fills the file as well.
        let cap = try await eventCap()
        let maxBytes = settings.maxTotalBytes > 0 ? Int64(clamping: settings.maxTotalBytes) : nil
        let removed = try await events.retain(maxBytes: maxBytes) {
          Self.rule(for: $0, settings, cap)
        }
        if removed > 0 { log.log(.info, "\(removed) old events were removed from the log.") }
        state.withLock { $0.retentionProblem = nil }
        // After the removal, which may have made room.
        try await sayWhereRoomIsShort()
      } catch {
        let problem = "Old events could not be removed. \(error)"
        state.withLock { $0.retentionProblem = problem }
        log.log(.warning, problem)
      }
      try? await Task.sleep(for: .seconds(60))
    }
  }

  /// - Parameter cap: the most bytes of any type, while the whole file is nearly full.
  private static func rule(
    for type: String, _ settings: EventSettings, _ cap: Int64?
  ) -> EventRetentionRule {
    let limits = settings.retention(of: type)
    let bytes = [limits.maxBytes.map { Int64(clamping: $0) }, cap].compactMap { $0 }.min()
    return EventRetentionRule(
      type: type, age: limits.maxAgeDays.flatMap { Self.milliseconds(days: $0) },
      count: limits.maxEvents.map { Int64(clamping: $0) }, bytes: bytes)
  }

  /// Nil for more than the clock can count, which is as good as for ever.
  private static func milliseconds(days: Double) -> Int64? {
    Int64(exactly: (max(0, days) * 86_400_000).rounded())
  }

  /// Logs what keeps the database from writing, and when that is over.
  private static func tell(_ condition: StoreCondition, to log: LogHub) {
    if let obstacle = condition.obstacle {
      log.log(.critical, "Nothing can be stored: \(obstacle.message)")
    } else if condition == .ready {
      log.log(.notice, "The database accepts writes again.")
    }
  }
}
