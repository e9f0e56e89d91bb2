internal import AgentEvents
internal import AgentSettings
internal import AgentStore
internal import Synchronization

/// The agent's database, open while the host runs.
extension AgentHost {
  /// Opens it; what was published before is stored now.
  func openStore() async throws {
    var configuration = SQLiteStoreConfiguration(path: folder.store)
    configuration.conditionChanged = { [log] in Self.tell($0, to: log) }
    let store: SQLiteStore
    do {
      store = try await SQLiteStore.open(configuration)
      try await events.open(store)
    } catch {
      throw HostError(.failed, "The agent's database can't be opened. \(error)")
    }
    state.withLock { $0.store = store }
  }

  /// Finishes what is queued. Nothing is published after this.
  func closeStore() async {
    let store = state.withLock { state in
      defer { state.store = nil }
      return state.store
    }
    await store?.close()
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
