import AgentDiagnostics
import AgentEvents
import AgentJSON
import AgentLogging
import AgentModules
import AgentSettings
import AgentStore
import AgentWorkers
import Synchronization
import TestSupport
import Testing

@testable import AgentHost

/// The removal of old events from a database that has reached its limit.
@Suite(.timeLimit(.minutes(5))) struct FullLogTests {
  private let folder: TestFolder
  private let log: LogHub

  init() throws {
    folder = try TestFolder()
    var configuration = LogConfiguration()
    configuration.toStandardError = false
    log = LogHub(configuration)
  }

  private func settings() throws -> CurrentSettings {
    // The smallest limit that the settings permit.
    try folder.write("settings.json", #"{"store": {"max_bytes": "64 MB"}}"#)
    let read = SettingsFile.load(try AgentFolder.locate(settings: "\(folder.path)/settings.json"))
    return CurrentSettings(try #require(read.settings, "\(read.problems)"), read)
  }

  private func publish(_ size: Int, to bus: EventBus) async throws(EventError) {
    let text = JSONValue.string(String(repeating: "x", count: size))
    _ = try await bus.store([["type": "n", "text": text]], source: "s")
  }

  /// Publishes events until the store takes no more.
  private func fill(_ store: SQLiteStore, to limit: Int, by bus: EventBus) async throws {
    while true {
      let file = try await store.fileStatistics()
      if Int(file.pages * file.pageBytes) > limit - (4 << 20) { break }
      try await publish(1 << 20, to: bus)
    }
    // These are smaller than the 64 KB by which the store tests whether there is space again.
    let error = await #expect(throws: EventError.self) {
      while true { try await publish(56 << 10, to: bus) }
    }
    #expect(error?.code == .storage)
  }

  @Test func `a store at its limit loses its oldest events, whatever an idle consumer has read`()
    async throws
  {
    let settings = try settings()
    let limit = settings.value.store.maxBytes
    let database = HostDatabase(path: "\(folder.path)/store.db", log, StoreHindrance())
    let bus = EventBus(awaitsLog: true, now: { 1_000 })
    try await database.open(maxBytes: Int64(limit), waitsForRoom: false, acceptsWrites: {}) {
      try await bus.open($0)
    }
    let store = try database.openStore()
    try await bus.register(consumer: "gone", from: .oldest)
    _ = try await bus.consume("idle", try EventQuery(parsing: "type:rare")) { _ in }
    try await fill(store, to: limit, by: bus)
    let before = try #require(try await bus.types().first?.count)
    #expect(database.condition?.obstacle != nil)
    let messages = Mutex<[String]>([])
    let subscription = log.subscribe { record in messages.withLock { $0.append(record.message) } }

    let retention = EventRetention(settings: settings, database: database, events: bus, log: log)
    #expect(try await retention.removeOld() == nil)

    #expect(try await bus.types().first?.count ?? before < before)
    #expect(database.condition == .ready)
    log.flush()
    log.unsubscribe(subscription)
    // The idle one misses nothing.
    #expect(messages.withLock { $0.contains { $0.hasSuffix("They may miss events: gone.") } })
    await database.close {}
  }
}
