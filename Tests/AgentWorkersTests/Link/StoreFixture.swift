import AgentEvents
import AgentStore

import AgentSystem
@testable import AgentWorkers
import TestSupport

/// A bus on a store in a folder of its own.
struct StoreFixture {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  func open() async throws -> EventBus {
    let bus = EventBus(awaitsLog: true, now: { Timestamp.now() })
    try await bus.open(try await store())
    return bus
  }

  func store() async throws -> SQLiteStore {
    try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder.path)/store.db"))
  }
}
