internal import AgentDiagnostics
internal import AgentSettings
internal import AgentSupervision
internal import AgentSystem
internal import AgentText
package import AgentWorkers
internal import Synchronization

/// The actions of people, pools and the API on one process.
extension ProcessManager {
  /// Starts a process that is stopped, is disabled, or has failed. Returns when its first attempt
  /// has succeeded or failed, or its time is over.
  package func start(_ name: String) async throws(HostError) {
    try await act(on: name) {
      switch try await supervisor.status(name).state {
      // A person requested the start. `retry` clears the earlier failures, so neither the back-off
      // nor the limit of restarts applies.
      case .failed, .finished, .backingOff: try await supervisor.retry(name)
      default: try await supervisor.start(name)
      }
      _ = try await supervisor.settled(name, within: startLimit)
    } inProcess: { worker in
      worker.start()
    }
  }

  /// Stops a process until a person starts it or the host restarts.
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
      // The process doesn't run, so it need not be stopped. Its wait for the next attempt ends now.
      case .failed, .finished, .backingOff: try await supervisor.retry(name)
      default: try await supervisor.restart(name)
      }
      // The old worker may use its whole time for stopping before the time of the new one begins.
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
    // The supervisor doesn't know processes inside the host, so this check comes first.
    if let worker { return inProcess(worker) }
    guard isKnown else {
      // In safe mode, no process is planned. A message that the process doesn't exist would be
      // wrong for one in the settings.
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
    // `start` returns without an error even if the first attempt has failed. The autoscaler needs a
    // running instance or an error.
    if case .failed(let reason) = try await supervisor.status(name).state {
      throw HostError(.failed, reason)
    }
  }
}
