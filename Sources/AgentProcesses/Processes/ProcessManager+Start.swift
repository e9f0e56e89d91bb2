internal import AgentDiagnostics
internal import AgentLogging
internal import AgentModules
internal import AgentSettings
internal import AgentSupervision
internal import AgentSystem
internal import AgentWorkers
internal import Synchronization

/// The first start of all processes, and their end.
extension ProcessManager {
  /// The most that the host waits for the first try of its processes before it says that it runs.
  private static let longestStart = Duration.seconds(60)

  /// Ends the processes that a killed host has left. Blocks: for the thread for files.
  package func endLeftovers() {
    let ended = Supervisor.endLeftovers(
      records: environment.start.folder.workers,
      marker: "AGENT_WORKER_OF=\(environment.start.folder.path)")
    guard !ended.isEmpty else { return }
    let names = ended.map { worker in
      worker.name.map { "\($0) (\(worker.pid))" } ?? "\(worker.pid)"
    }
    environment.log.log(
      .warning,
      "The previous host was killed. Its remaining processes were ended: "
        + names.joined(separator: ", ") + ".")
  }

  /// Adds every process and service worker of the settings, without starting any. Called once.
  package func addAll() async {
    let settings = settings
    await FileWork.run { [copies = planner.copies] in
      let libraries = settings.modules.compactMap { $0.manifest.libraryPath }
      // Only at the start: later a worker may run, or be restarted, from a former copy.
      copies.removeAll(but: Set(libraries.map(copies.copy)))
    }
    for process in settings.processes where isInProcess(process, in: settings) {
      let worker = InProcessWorker(process: process, services: services)
      state.withLock { $0.inProcess[process.name] = worker }
    }
    for module in settings.modules where hasInProcessServices(module) {
      let worker = InProcessWorker(module: module, services: services)
      state.withLock { $0.inProcess[worker.name] = worker }
    }
    await supervise(await FileWork.run { self.plans(for: settings) }, by: supervisor)
  }

  /// Starts every process that is enabled, and returns once the first try of each has settled, or
  /// its time is over.
  package func startWanted() async {
    let wanted = settings.processes.filter(\.enabled).map(\.name)
    // They don't wait: each is started on its module's own thread.
    for name in wanted { state.withLock { $0.inProcess[name] }?.start() }
    let supervised = wanted.filter { name in state.withLock { $0.inProcess[name] == nil } }
    await start(supervised, by: supervisor)
  }

  /// Starts processes and returns once the first try of each has settled, or its time is over. It
  /// runs on the supervisor's thread: a hop there and back for each process would cost time and
  /// memory.
  private func start(_ names: [String], by supervisor: isolated Supervisor) async {
    let limit = startLimit
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    do {
      try await supervisor.start(names)
      var late: [String] = []
      for name in names {
        // One deadline for all, since all were started before the first is waited for.
        let rest = max(.zero, clock.now.duration(to: deadline))
        let status = try await supervisor.settled(name, within: rest)
        if !status.state.isSettled { late.append(name) }
      }
      // A host that ends has stopped them itself. That is no news.
      guard !late.isEmpty, !environment.isEnding() else { return }
      environment.log.log(
        .warning,
        "Not ready after \(limit.components.seconds) s: \(late.joined(separator: ", ")). The "
          + "agent runs without them and retries.")
    } catch {
      environment.log.log(.error, error.message)
    }
  }

  /// How long the first try of a process may take before the host goes on without it.
  var startLimit: Duration {
    // One second more than the supervisor gives a worker, so that its verdict comes first.
    min(.milliseconds(settings.supervision.readyTimeoutMs) + .seconds(1), Self.longestStart)
  }

  /// Ends every process.
  package func shutdown() async {
    for worker in state.withLock({ Array($0.inProcess.values) }) { worker.stop() }
    await supervisor.shutdown(
      deadline: .milliseconds(settings.supervision.stopTimeoutMs + 2_000))
  }
}
