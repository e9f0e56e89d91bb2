import AgentStore
import Glibc
import Synchronization
import Testing

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
