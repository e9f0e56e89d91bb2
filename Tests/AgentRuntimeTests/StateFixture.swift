import AgentJSON
import AgentStore
import AgentWorkerProtocol
import Glibc
import Synchronization
import Testing

@testable import AgentRuntime

/// The state of processes over a database of its own.
final class StateFixture: Sendable {
  let service = StateService(now: { 1_700_000_000_000 })
  let store: SQLiteStore
  let file: String

  init() async throws {
    var template = Array("/tmp/agent-state-XXXXXX".utf8CString)
    _ = try #require(mkdtemp(&template))
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    file = "\(folder)/store.db"
    store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: file))
    service.open(store)
  }

  /// Closes and removes the database.
  func end() async {
    service.close()
    await store.close()
    let folder = String(file.dropLast("/store.db".count))
    for suffix in ["", "-wal", "-shm", ".lock"] { unlink(file + suffix) }
    rmdir(folder)
  }

  /// A caller that was told to start.
  func caller(_ name: String = "p") -> ServiceCaller {
    let caller = ServiceCaller(name)
    service.started(caller)
    return caller
  }

  /// Calls and waits.
  func call(_ method: String, _ input: String, from caller: ServiceCaller) async
    -> Result<JSONValue, WorkerError>
  {
    let result = await withCheckedContinuation { continuation in
      service.call(method, Array(input.utf8), from: caller) { continuation.resume(returning: $0) }
    }
    return result.map { (try? JSONValue(parsing: $0)) ?? "not JSON" }
  }

  func write(_ key: String, _ value: String, from caller: ServiceCaller) async
    -> Result<JSONValue, WorkerError>
  {
    await call("write", #"{"changes":[{"key":"\#(key)","value":\#(value)}]}"#, from: caller)
  }
}
