import GRDBSQLite
import TestSupport
import Testing

@testable import AgentStore

/// A page of the newest events costs as much with many types as with few.
@Suite struct ManyTypesTests {
  /// Counts the statements that a connection begins.
  private final class StatementCount {
    private(set) var count = 0

    func run(on session: SQLiteSession, _ body: () throws(StoreError) -> Void) throws(StoreError) {
      let address = Unmanaged.passUnretained(self).toOpaque()
      let statements = UInt32(SQLITE_TRACE_STMT)
      sqlite3_trace_v2(
        session.handle, statements,
        { _, address, _, _ in
          guard let address else { return 0 }
          Unmanaged<StatementCount>.fromOpaque(address).takeUnretainedValue().count += 1
          return 0
        }, address)
      defer { sqlite3_trace_v2(session.handle, 0, nil, nil) }
      try body()
    }
  }

  /// Reads pages and returns the number of statements that they took.
  /// - Parameter maxPages: how many pages are read.
  private func statements(
    _ path: String, _ selection: EventSelection, size: Int, maxPages: Int = 1,
    timestamps: [Int64]
  ) throws -> Int {
    let connection = try SQLiteConnection(path: path, isReader: true)
    let count = StatementCount()
    var found: [Int64] = []
    try connection.use { session throws(StoreError) in
      let reader = SQLiteEventReader(session)
      try count.run(on: session) { () throws(StoreError) in
        var next: EventSelection? = selection
        for _ in 0..<maxPages {
          guard let selection = next else { return }
          let page = try reader.page(selection, size: size)
          found += page.events.map(\.timestamp)
          next = page.next
        }
      }
    }
    try connection.close()
    #expect(found == timestamps)
    return count.count
  }

  private func store(_ path: String) async throws -> any Store {
    try await SQLiteStore.open(SQLiteStoreConfiguration(path: path))
  }

  @Test func `a page opens only the types that it needs`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("types.db")
    let store = try await store(path)
    _ = try await store.write { transaction throws in
      try transaction.events.append(
        (0..<500).map { NewEvent(type: "t\($0)", timestamp: $0, source: "", body: []) })
    }
    await store.close()
    var newest = EventSelection(order: .timestamp, isBackwards: true)
    let ten = (490...499 as ClosedRange<Int64>).reversed() as [Int64]
    // The types, and a name and a search for each that is opened.
    #expect(try statements(path, newest, size: 10, timestamps: ten) < 30)
    newest.from = 495
    #expect(
      try statements(path, newest, size: 1000, timestamps: Array(ten.prefix(5))) < 20)
    let recent = EventSelection(from: 495, order: .timestamp)
    #expect(
      try statements(path, recent, size: 1000, timestamps: ten.prefix(5).reversed()) < 20)
  }

  /// Otherwise, the cost of a long read would grow with the number of events times that of types.
  @Test(arguments: [7, 1_000], [false, true])
  func `pages with many types have enough events to pay for their searches`(
    size: Int, isBackwards: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pages.db")
    let store = try await store(path)
    var random = SeededGenerator(seed: 3_000)
    let times = (0..<3_000).map { _ in Int64.random(in: 0..<2_000, using: &random) }
    _ = try await store.write { transaction throws in
      try transaction.events.append(
        times.enumerated().map { place, time in
          NewEvent(type: "t\(place % 300)", timestamp: time, source: "", body: [])
        })
    }
    await store.close()
    let selection = EventSelection(order: .timestamp, isBackwards: isBackwards)
    let sorted = isBackwards ? times.sorted().reversed() : times.sorted()
    let statements = try statements(
      path, selection, size: size, maxPages: .max, timestamps: sorted)
    // A name for each type, and at most a statement for an event.
    #expect(statements < 300 + 3_000, "\(statements)")
  }

  @Test func `a file of a former version has the newest timestamps of its types`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("former.db")
    var former = SQLiteStoreConfiguration(path: path)
    let store = try await store(path)
    _ = try await store.write { transaction throws in
      try transaction.events.append(
        (0..<50).map { NewEvent(type: "t\($0)", timestamp: $0, source: "", body: []) })
    }
    await store.close()
    try await SQLiteStore.revert(former, to: 20)
    former = SQLiteStoreConfiguration(path: path)
    await (try SQLiteStore.open(former)).close()
    let newest = EventSelection(order: .timestamp, isBackwards: true)
    #expect(try statements(path, newest, size: 2, timestamps: [49, 48]) < 10)
  }
}
