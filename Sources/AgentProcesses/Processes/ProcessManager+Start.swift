internal import AgentDiagnostics
internal import AgentLogging
internal import AgentModules
internal import AgentSettings
internal import AgentSupervision
internal import AgentSystem
package import AgentWorkers
internal import Synchronization

/// The first start of all processes, and their end.
extension ProcessManager {
  /// The longest wait of the host for the first attempts of its processes before it reports that it
  /// runs.
  private static let longestStart = Duration.seconds(60)

  /// Ends the processes that a killed host has left. It blocks; called on the thread for files.
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

  /// Adds every process and service worker of the settings without starting them. Called once.
  /// - Throws: `deadlineExceeded` if the files of modules don't answer, `notReady` if no thread can
  ///   be had for them.
  package func addAll() async throws(HostError) {
    let settings = settings
    try await FileDeadline.runOnceReady(
      or: "The host can't start", for: "start", within: FileDeadline.startLimit
    ) { [copies = planner.copies] in
      let libraries = settings.modules.compactMap { $0.manifest.libraryPath }
      // Only at the start. Later, a worker may run or be restarted from a former copy.
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
    let plans = try await FileDeadline.runOnceReady(
      or: "The host can't start", for: "start", within: FileDeadline.startLimit
    ) { self.plans(for: settings) }
    await supervise(plans, by: supervisor)
  }

  /// Starts every enabled process. Returns when the first attempt of each has succeeded or failed, or
  /// its time is over.
  package func startWanted() async {
    let wanted = settings.processes.filter(\.enabled).map(\.name)
    // They don't wait, because each is started on its module's own thread.
    for name in wanted { state.withLock { $0.inProcess[name] }?.start() }
    let supervised = wanted.filter { name in state.withLock { $0.inProcess[name] == nil } }
    await start(supervised, by: supervisor)
  }

  /// Starts processes and returns when the first attempt of each has succeeded or failed, or its time
  /// is over. It runs on the supervisor's thread, because switching threads for each process would
  /// take time and memory.
  private func start(_ names: [String], by supervisor: isolated Supervisor) async {
    let limit = startLimit
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    do {
      try await supervisor.start(names)
      var late: [String] = []
      for name in names {
        // One deadline for all, because all were started before the first wait.
        let rest = max(.zero, clock.now.duration(to: deadline))
        let status = try await supervisor.settled(name, within: rest)
        if !status.state.isSettled { late.append(name) }
      }
      // A host that ends has stopped them itself, so there is nothing to report.
      guard !late.isEmpty, !environment.isEnding() else { return }
      environment.log.log(
        .warning,
        "Not ready after \(limit.components.seconds) s: \(late.joined(separator: ", ")). The "
          + "agent runs without them and retries.")
    } catch {
      environment.log.log(.error, error.message)
    }
  }

  /// The time limit for the first attempt of a process. The host then continues without it.
  var startLimit: Duration {
    // One second longer than the supervisor's own limit, so that its result comes first.
    min(.milliseconds(settings.supervision.readyTimeoutMs) + .seconds(1), Self.longestStart)
  }

  /// Ends every process.
  package func shutdown() async {
    for worker in state.withLock({ Array($0.inProcess.values) }) { worker.stop() }
    await supervisor.shutdown(
      deadline: .milliseconds(settings.supervision.stopTimeoutMs + 2_000))
  }
}
