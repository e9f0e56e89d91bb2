import AgentStore
import Glibc
import Synchronization
import Testing

/// A store that counts its reads.
final class CountingStore: Store {
  private let store: any Store
  private let count = Mutex(0)

  init(_ store: any Store) { self.store = store }

  var reads: Int { count.withLock(\.self) }

  func submit<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) { store.submit(kind, body, completion: completion) }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
  ) async throws -> Value {
    count.withLock { $0 += 1 }
    return try await store.read(body)
  }

  var condition: StoreCondition { store.condition }
  var statistics: StoreStatistics { store.statistics }
  func close() async { await store.close() }
}

/// A store in a folder of its own, and a clock that a test moves.
final class AccessFixture: Sendable {
  let store: SQLiteStore
  private let folder: String
  private let moment = Mutex<Int64>(1_000_000)

  init() async throws {
    var template = Array("/tmp/agent-access-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder)/store.db"))
  }

  deinit {
    for name in ["", "-wal", "-shm", ".lock"] { unlink("\(folder)/store.db\(name)") }
    rmdir(folder)
  }

  var now: @Sendable () -> Int64 { { [self] in moment.withLock(\.self) } }
  func advance(_ milliseconds: Int64) { moment.withLock { $0 += milliseconds } }
}
