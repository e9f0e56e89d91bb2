import AgentJSON
import AgentStore
import AgentWorkerProtocol
import Synchronization
import TestSupport
import Testing

@testable import AgentWorkers

/// The state of processes over a database of its own.
final class StateFixture: Sendable {
  let service = StateService(now: { 1_700_000_000_000 })
  let store: SQLiteStore
  let file: String
  private let folder: TestFolder

  init() async throws {
    folder = try TestFolder()
    file = "\(folder.path)/store.db"
    store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: file))
    service.open(store)
  }

  /// Closes the database.
  func end() async {
    service.close()
    await store.close()
  }

  /// A caller that was told to start.
  func caller(_ name: String = "p") -> ServiceCaller {
    let caller = ServiceCaller(name, module: "m")
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
