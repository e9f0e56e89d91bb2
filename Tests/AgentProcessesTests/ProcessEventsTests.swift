import AgentEvents
import AgentJSON
import AgentStore
import Synchronization
import TestSupport
import Testing

@testable import AgentProcesses

@Suite struct ProcessEventsTests {
  /// A bus on a store whose reads fail while a test says so.
  private struct Bench: Sendable {
    let folder: TestFolder
    let store: UnreadableStore
    let bus: EventBus
    let outbox: HostOutbox

    init() async throws {
      folder = try TestFolder()
      store = UnreadableStore(
        try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder.path)/store.db")))
      bus = EventBus(
        awaitsLog: true, pause: { _ in try await Task.sleep(for: .milliseconds(1)) }, now: { 1 })
      outbox = HostOutbox(bus) { _ in }
      try await bus.open(store)
    }

    /// The processes of the stored events, the oldest first.
    func names(_ filter: String) async throws -> [String] {
      let query = try EventQuery(parsing: filter)
      return try await bus.events(matching: query, limit: 10_000).events.compactMap {
        $0.field("process")?.string
      }
    }
  }

  @Test func `each failure is published before its recovery`() async throws {
    let bench = try await Bench()
    let events = ProcessEvents(bench.bus, outbox: bench.outbox) { $0 }
    for number in 0..<20 {
      events.failed("p\(number)", "gone")
      events.runs("p\(number)")
    }
    try await wait(while: try await bench.names("process_recovered").count < 20)
    let expected = (0..<20).flatMap { ["p\($0)", "p\($0)"] }
    #expect(try await bench.names("process_failed | process_recovered") == expected)
    await bench.store.close()
  }

  @Test func `earlier failures are read from the log as soon as it can be read`() async throws {
    let bench = try await Bench()
    ProcessEvents(bench.bus, outbox: bench.outbox) { $0 }.failed("p", "gone")
    try await wait(while: try await bench.names("process_failed").isEmpty)
    bench.store.refusesReads = true
    let events = ProcessEvents(
      bench.bus, outbox: bench.outbox, pause: { _ in bench.store.refusesReads = false }
    ) { $0 }
    events.runs("p")
    await events.remember()
    try await wait(while: try await bench.names("process_recovered").isEmpty)
    await bench.store.close()
  }
}

/// A store that can't be read while a test says so. Writes go on.
private final class UnreadableStore: Store {
  private let store: any Store
  private let refuses = Mutex(false)

  init(_ store: any Store) { self.store = store }

  var refusesReads: Bool {
    get { refuses.withLock { $0 } }
    set { refuses.withLock { $0 = newValue } }
  }

  func submit<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) { store.submit(kind, body, completion: completion) }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
  ) async throws -> Value {
    if refusesReads { throw StoreError(.fault, "The disk gives nothing.") }
    return try await store.read(body)
  }

  var condition: StoreCondition { store.condition }
  var statistics: StoreStatistics { store.statistics }
  func close() async { await store.close() }
}
