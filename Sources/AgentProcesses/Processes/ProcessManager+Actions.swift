internal import AgentDiagnostics
internal import AgentSettings
internal import AgentSupervision
internal import AgentSystem
internal import AgentText
package import AgentWorkers
internal import Synchronization

/// What people, pools and the API do with one process.
extension ProcessManager {
  /// Starts a process that is stopped, is disabled, or has failed. Returns once its first try has
  /// settled, or its time is over.
  package func start(_ name: String) async throws(HostError) {
    try await act(on: name) {
      switch try await supervisor.status(name).state {
      // The person wants it now: `retry` forgets the earlier failures, so neither the back-off
      // nor the limit of restarts applies.
      case .failed, .finished, .backingOff: try await supervisor.retry(name)
      default: try await supervisor.start(name)
      }
      _ = try await supervisor.settled(name, within: startLimit)
    } inProcess: { worker in
      worker.start()
    }
  }

  /// Stops a process until somebody starts it, or the host restarts.
  package func stop(_ name: String) async throws(HostError) {
    try await act(on: name) {
      try await supervisor.stop(name)
    } inProcess: { worker in
      worker.stop()
    }
  }

  /// Stops a process and starts it again.
  package func restart(_ name: String) async throws(HostError) {
    try await act(on: name) {
      switch try await supervisor.status(name).state {
      // There is nothing to stop, and the wait for its next try is cut short.
      case .failed, .finished, .backingOff: try await supervisor.retry(name)
      default: try await supervisor.restart(name)
      }
      // The old worker may use its whole time to stop before the new one begins its own.
      let stop = Duration.milliseconds(settings.supervision.stopTimeoutMs)
      _ = try await supervisor.settled(name, within: startLimit + stop)
    } inProcess: { worker in
      worker.stop()
      worker.start()
    }
  }

  private func act(
    on name: String, _ supervised: () async throws -> Void,
    inProcess: (InProcessWorker) -> Void
  ) async throws(HostError) {
    let (isKnown, worker) = state.withLock { state in
      (state.planned[name] != nil, state.inProcess[name])
    }
    // The supervisor doesn't know what runs inside the host, so this comes first.
    if let worker { return inProcess(worker) }
    guard isKnown else {
      // In safe mode nothing is planned. "There is no process" would be wrong for one in the
      // settings.
      let start = environment.start
      if start.safeMode != nil { throw start.refusedInSafeMode("No process runs") }
      throw unknown(name)
    }
    do {
      try await supervised()
    } catch let error as SupervisionError {
      let code: HostError.Code =
        switch error.code {
        case .shuttingDown: .stopping
        case .overtaken: .conflict
        case .deadlinePassed: .deadlineExceeded
        default: .failed
        }
      throw HostError(code, error.message)
    } catch {
      throw HostError(.failed, "\(error)")
    }
  }

  func unknown(_ name: String) -> HostError {
    let names = state.withLock { Array($0.planned.keys) + Array($0.inProcess.keys) }
    let nearest = NameSuggestion.of(name, among: names)
    return HostError(
      .notFound,
      "There is no process \"\(name)\"."
        + NameSuggestion.question(nearest, otherwise: " \"agent process list\" lists them."))
  }

  /// Starts an instance of a pool.
  package func startInstance(_ name: String) async throws {
    try await start(name)
    // `start` returns without an error when the first try has failed. The autoscaler is promised an
    // instance that is up, or an error.
    if case .failed(let reason) = try await supervisor.status(name).state {
      throw HostError(.failed, reason)
    }
  }
}
