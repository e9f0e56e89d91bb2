import AgentEvents
import AgentStore
import Glibc
import Testing

@testable import AgentRuntime

/// A bus on a store in a folder of its own.
final class StoreFixture: Sendable {
  private let folder: String

  init() throws {
    var template = Array("/tmp/agent-runtime-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in ["", "-wal", "-shm", ".lock"] { unlink("\(folder)/store.db\(name)") }
    rmdir(folder)
  }

  func open() async throws -> EventBus {
    let bus = EventBus(awaitsLog: true, now: { Timestamp.now() })
    try await bus.open(
      try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder)/store.db")))
    return bus
  }
}
