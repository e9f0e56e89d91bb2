package import AgentStore
internal import AgentSystem
package import AgentWorkerProtocol
internal import Synchronization

/// The service `state/1`. It stores values that processes keep over restarts.
///
/// The host leases state to one generation of a process: the one that got START last. A write of
/// any other generation is refused. Writes of a process are made in the order of the requests. A
/// read sees all writes that were requested before it, including those of the former generation.
package final class StateService: HostService {
  private struct State {
    var store: (any Store)?
    /// The caller that got START last, by the name of the process.
    var holders: [String: ServiceCaller] = [:]
    /// The number of writes that haven't completed, by the name of the process.
    var writing: [String: Int] = [:]
  }

  private let now: @Sendable () -> Int64
  private let state = Mutex(State())

  package init(now: @escaping @Sendable () -> Int64 = { Timestamp.now() }) { self.now = now }

  /// Sets the store. Before this call and after ``close()``, the service refuses valid requests
  /// with `closed`.
  package func open(_ store: any Store) { state.withLock { $0.store = store } }
  package func close() { state.withLock { $0.store = nil } }

  package func started(_ caller: ServiceCaller) {
    state.withLock { $0.holders[caller.name] = caller }
  }

  package func call(
    _ method: String, _ input: [UInt8], from caller: ServiceCaller,
    done: @escaping @Sendable (Result<[UInt8], WorkerError>) -> Void
  ) {
    let request: StateRequest
    do {
      request = try StateRequest(method: method, input: input)
    } catch {
      return done(.failure(error))
    }
    if case .write(let changes) = request {
      write(changes, caller: caller, done: done)
    } else {
      read(request, name: caller.name, done: done)
    }
  }

  private typealias Done = @Sendable (Result<[UInt8], WorkerError>) -> Void

  // MARK: Writing

  private func write(_ changes: [StateChange], caller: ServiceCaller, done: @escaping Done) {
    let admitted = state.withLock { state in
      let admitted = Self.admit(caller, state)
      // The write is admitted and counted under one lock. A read that comes after it must see that
      // a write hasn't completed.
      if case .success = admitted { state.writing[caller.name, default: 0] += 1 }
      return admitted
    }
    let store: any Store
    switch admitted {
    case .success(let opened): store = opened
    case .failure(let error): return done(.failure(error))
    }
    // The write uses a savepoint, because it shares a transaction with other writes. A conflict
    // rolls back only these changes.
    store.submit(.savepoint) { [now, name = caller.name] in
      try $0.state.change(changes, of: name, now: now())
    } completion: { [self] result in
      written(by: caller.name)
      done(result.map { StateAnswers.written($0) }.mapError { Self.error($0) })
    }
  }

  private static func admit(
    _ caller: ServiceCaller, _ state: borrowing State
  ) -> Result<any Store, WorkerError> {
    let name = caller.name
    guard let holder = state.holders[name] else {
      return .failure(
        WorkerError(
          .closed, "\(name) may read its state, but may write it only after START."))
    }
    // Callers are compared by identity, because two generations of a process have the same name.
    guard holder === caller else {
      return .failure(
        WorkerError(
          .closed,
          "The state of \(name) belongs to its newest worker; this one may still "
            + "read it. Stop when the host asks for it."))
    }
    guard let store = state.store else { return .failure(notOpen) }
    return .success(store)
  }

  private func written(by name: String) {
    state.withLock { state in
      let left = (state.writing[name] ?? 1) - 1
      // At 0 the entry is removed. Then the next read doesn't wait for the writer.
      state.writing[name] = left > 0 ? left : nil
    }
  }

  // MARK: Reading

  private func read(_ request: StateRequest, name: String, done: @escaping Done) {
    let (store, mustWait) = state.withLock { ($0.store, $0.writing[name] != nil) }
    guard let store else { return done(.failure(Self.notOpen)) }
    // If all writes have completed, every reading connection sees them.
    guard mustWait else { return read(request, name: name, in: store, done: done) }
    // The writer's thread reads after the open writes. If an obstacle stops the writer, the read
    // fails there. Then the open writes have changed nothing either, and another connection reads.
    store.submit(.savepoint) {
      try StateAnswers.answer(request, of: name, in: $0.state)
    } completion: { [self] result in
      switch result {
      case .success(let answer): done(.success(answer))
      case .failure: read(request, name: name, in: store, done: done)
      }
    }
  }

  private func read(
    _ request: StateRequest, name: String, in store: any Store, done: @escaping Done
  ) {
    Task {
      do {
        done(
          .success(
            try await store.read { try StateAnswers.answer(request, of: name, in: $0.state) }))
      } catch {
        done(.failure(Self.error(error)))
      }
    }
  }

  // MARK: Errors

  private static let notOpen = WorkerError(.closed, "The agent's database isn't open.")

  private static func error(_ error: any Error) -> WorkerError {
    guard let error = error as? StoreError else { return WorkerError(.failed, "\(error)") }
    let code: StatusCode =
      switch error.code {
      case .conflict: .conflict
      case .invalid: .invalidArgument
      case .closed: .closed
      default: .failed
      }
    return WorkerError(code, error.message, cause: error.cause)
  }
}
