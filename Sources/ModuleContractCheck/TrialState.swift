internal import AgentStore
internal import AgentWorkerProtocol
internal import AgentWorkers
internal import Dispatch
internal import Synchronization

/// The stored state of the workers under test. Its database is created by the first call. Its
/// methods block.
final class TrialState: Sendable {
  private struct State {
    var store: SQLiteStore?
    var problem: String?
  }

  private let path: String
  private let service = StateService()
  private let state = Mutex(State())

  init(path: String) { self.path = path }

  func started(_ caller: ServiceCaller) { service.started(caller) }

  /// Answers a call of a worker to `state/1`.
  func answer(_ call: Call, from caller: ServiceCaller) -> Result<[UInt8], WorkerError> {
    open()
    if let problem = state.withLock({ $0.problem }) {
      return .failure(WorkerError(.failed, problem))
    }
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<[UInt8], WorkerError>>(.failure(WorkerError(.closed, "")))
    service.call(call.method, call.input, from: caller) { answer in
      result.withLock { $0 = answer }
      done.signal()
    }
    done.wait()
    return result.withLock { $0 }
  }

  private func open() {
    guard state.withLock({ $0.store == nil && $0.problem == nil }) else { return }
    wait { [path, service, state = self] in
      do {
        let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: path))
        service.open(store)
        state.state.withLock { $0.store = store }
      } catch {
        state.state.withLock { $0.problem = "No database can be created for the check. \(error)" }
      }
    }
  }

  /// Closes the database. Further calls fail.
  func close() {
    service.close()
    guard let store = state.withLock({ $0.store.take() }) else { return }
    wait { await store.close() }
  }

  private func wait(for work: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
      await work()
      done.signal()
    }
    done.wait()
  }
}
