import AgentJSON
import AgentStore
import Synchronization
import TestSupport
import Testing

@testable import AgentEvents

/// Events of the host while the database takes nothing.
@Suite struct HostOutboxTests {
  /// A bus on a store that refuses writes while a test says so, and what it complains of.
  private struct Bench: Sendable {
    let folder: TestFolder
    let store: RefusingStore
    let bus: EventBus
    let complaints: Complaints

    init() async throws {
      folder = try TestFolder()
      store = RefusingStore(
        try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder.path)/store.db")))
      complaints = Complaints()
      bus = EventBus(
        awaitsLog: true, pause: { _ in try await Task.sleep(for: .milliseconds(1)) }, now: { 1 })
      try await bus.open(store)
    }

    func names(_ filter: String) async throws -> [String] {
      let query = try EventQuery(parsing: filter)
      return try await bus.events(matching: query, limit: 10_000).events.compactMap {
        $0.field("process")?.string
      }
    }

    /// Publishes one more event and waits for it: what was published before is stored by then, or
    /// it never will be.
    func passLast(_ outbox: HostOutbox) async throws {
      outbox.publish(["type": "last", "process": "last"])
      try await wait(while: try await names("last").isEmpty)
    }
  }

  final class Complaints: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
  }

  @Test func `events that can't be stored are kept and stored later, in order`() async throws {
    let bench = try await Bench()
    let outbox = HostOutbox(bench.bus) { bench.complaints.add($0) }
    bench.store.refuses = true
    for number in 0..<20 {
      outbox.publish(["type": "failed", "process": .string("p\(number)")])
      outbox.publish(["type": "recovered", "process": .string("p\(number)")])
    }
    try await wait(while: bench.store.refused < 3)
    #expect(try await bench.names("failed | recovered").isEmpty)
    bench.store.refuses = false
    try await bench.passLast(outbox)
    let expected = (0..<20).flatMap { ["p\($0)", "p\($0)"] }
    #expect(try await bench.names("failed | recovered") == expected)
    #expect(bench.complaints.all.isEmpty)
    await bench.store.close()
  }

  @Test func `an invalid event doesn't take others with it`() async throws {
    let bench = try await Bench()
    let outbox = HostOutbox(bench.bus) { bench.complaints.add($0) }
    bench.store.refuses = true
    for number in 0..<5 {
      outbox.publish([
        "type": number == 2 ? "" : "t", "process": .string("p\(number)"),
      ])
    }
    bench.store.refuses = false
    try await bench.passLast(outbox)
    #expect(try await bench.names("t") == ["p0", "p1", "p3", "p4"])
    #expect(bench.complaints.all.count == 1)
    await bench.store.close()
  }

  @Test func `the oldest events beyond the bound are dropped with a warning`() async throws {
    let bench = try await Bench()
    let outbox = HostOutbox(bench.bus) { bench.complaints.add($0) }
    bench.store.refuses = true
    let large = String(repeating: "x", count: 100_000)
    let count = HostOutbox.maxBytes / 100_000 + 20
    for number in 0..<count {
      outbox.publish([
        "type": "t", "process": .string("p\(number)"), "text": .string(large),
      ])
    }
    bench.store.refuses = false
    try await bench.passLast(outbox)
    let stored = try await bench.names("t")
    // The first was on its way already.
    try #require(stored.first == "p0" && stored.count < count)
    #expect(stored.dropFirst().elementsEqual((0..<count).suffix(stored.count - 1).map { "p\($0)" }))
    try await wait(while: bench.complaints.all.count < 2)
    #expect(
      bench.complaints.all[1].hasPrefix("\(count - stored.count) events of the host were lost"))
    await bench.store.close()
  }
}

/// A store on a disk that is full while a test says so.
final class RefusingStore: Store {
  private struct State {
    var refuses = false
    var admitsFreeing = false
    var refused = 0
  }

  private let store: any Store
  private let state = Mutex(State())

  init(_ store: any Store) { self.store = store }

  var refuses: Bool {
    get { state.withLock { $0.refuses } }
    set { state.withLock { $0.refuses = newValue } }
  }
  /// Whether writes that free space are stored nevertheless, as by a store at its own limit.
  var admitsFreeing: Bool {
    get { state.withLock { $0.admitsFreeing } }
    set { state.withLock { $0.admitsFreeing = newValue } }
  }
  /// How many writes were refused.
  var refused: Int { state.withLock { $0.refused } }

  func submit<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let refuses = state.withLock { state in
      let refuses = state.refuses && !(state.admitsFreeing && kind == .freeing)
      state.refused += refuses ? 1 : 0
      return refuses
    }
    if refuses { return completion(.failure(StoreError(.full, "There is no room left."))) }
    store.submit(kind, body, completion: completion)
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
  ) async throws -> Value {
    try await store.read(body)
  }

  var condition: StoreCondition { store.condition }
  var statistics: StoreStatistics { store.statistics }
  func close() async { await store.close() }
}
