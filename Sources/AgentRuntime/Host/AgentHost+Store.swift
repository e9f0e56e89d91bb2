internal import AgentAccess
internal import AgentEvents
internal import AgentSettings
internal import AgentStore
internal import Synchronization

/// The agent's database, open while the host runs.
extension AgentHost {
  /// Opens it; what was published before is stored now.
  func openStore() async throws {
    defer {
      for waiting in state.withLock({ $0.awaitsDatabase.take() }) ?? [] { waiting.resume() }
    }
    var configuration = SQLiteStoreConfiguration(path: folder.store)
    configuration.conditionChanged = { [log] in Self.tell($0, to: log) }
    let store: SQLiteStore
    do {
      store = try await SQLiteStore.open(configuration)
      let traced = TracedStore(store, tracer)
      try await openAccess(traced)
      try await events.open(traced)
      stateService.open(traced)
    } catch {
      throw HostError(.failed, "The agent's database can't be opened. \(error)")
    }
    state.withLock { $0.store = store }
  }

  /// Returns once the database is open, or won't be.
  public func databaseIsOpen() async {
    await withCheckedContinuation { continuation in
      let mustWait = state.withLock { state in
        state.awaitsDatabase?.append(continuation)
        return state.awaitsDatabase != nil
      }
      if !mustWait { continuation.resume() }
    }
  }

  /// Copies the database to a file that doesn't exist yet, while the host works.
  /// - Throws: `HostError` with what stands in the way.
  public func backup(to file: String) async throws(HostError) {
    guard let store = state.withLock({ $0.store }) else {
      throw HostError(.notReady, "The database isn't open yet.")
    }
    try await StoreFile.backup(store, to: file)
  }

  /// The state of processes, for people.
  /// - Throws: `notReady` while the database isn't open.
  public func keptState() throws(HostError) -> StateAccess {
    guard let store = state.withLock({ $0.store }) else {
      throw HostError(.notReady, "The database isn't open yet.")
    }
    return StateAccess(
      store: TracedStore(store, tracer), names: StateAccess.names(in: settings))
  }

  /// Finishes what is queued. Nothing is published after this.
  func closeStore() async {
    let store = state.withLock { state in
      defer { state.store = nil }
      return state.store
    }
    stateService.close()
    await access.close()
    await store?.close()
  }

  /// Removes from the log, again and again, what the settings don't want kept.
  func keepRetention() async {
    while !Task.isCancelled {
      let settings = settings.events
      do {
        let removed = try await events.retain { Self.rule(for: $0, settings) }
        if removed > 0 { log.log(.info, "\(removed) old events were removed from the log.") }
        state.withLock { $0.retentionProblem = nil }
      } catch {
        let problem = "Old events could not be removed. \(error)"
        state.withLock { $0.retentionProblem = problem }
        log.log(.warning, problem)
      }
      try? await Task.sleep(for: .seconds(60))
    }
  }

  private static func rule(for type: String, _ settings: EventSettings) -> EventRetentionRule {
    let limits = settings.retention(of: type)
    return EventRetentionRule(
      type: type, age: limits.maxAgeDays.map { Int64($0 * 86_400_000) },
      count: limits.maxEvents.map(Int64.init), bytes: limits.maxBytes.map(Int64.init))
  }

  /// Says in the log what stands in the way of writes, and that it is over.
  private static func tell(_ condition: StoreCondition, to log: LogHub) {
    if let obstacle = condition.obstacle {
      log.log(.critical, "Nothing can be stored: \(obstacle.message)")
    } else if condition == .ready {
      log.log(.notice, "The database takes writes again.")
    }
  }
}
