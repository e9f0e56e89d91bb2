internal import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import AgentSupervision
public import ServiceLifecycle
internal import Synchronization
internal import UnixSignals

extension AgentHost: Service {
  /// Starts every enabled process and keeps the agent running until the service group ends or
  /// somebody asks the host to stop.
  public func run() async throws {
    // From the very start: until it is caught, the signal ends a process.
    let hangUps = await UnixSignalsSequence(trapping: .sighup)
    await FileWork.run {
      self.endLeftovers()
      self.writeSchemas()
    }
    try await openStore()
    await prepareNotifications()
    await addAll()
    // Before modules run, who may ask for work at once.
    let doesTasks = await openTasks()
    await startWanted()
    log.log(
      .notice, "The agent \(settings.agent.name) runs in \(folder.path).",
      fields: ["pid": .number(JSONNumber(Int(ProcessIdentity.own)))])
    cameUp("workers")
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.reload(on: hangUps) }
      group.addTask { await self.answerWatchdog() }
      group.addTask { await self.keepRetention() }
      group.addTask { await self.processEvents.remember() }
      group.addTask { await self.runNotifications() }
      if doesTasks { group.addTask { await self.runTasks() } }
      group.addTask { await self.exportTraces() }
      group.addTask { await self.keepAccess() }
      group.addTask { await self.watchHealth() }
      await awaitStop()
      group.cancelAll()
    }
    notifier.stopping()
    log.log(.notice, "The agent ends.")
    stopInProcess()
    await supervisor.shutdown(
      deadline: .milliseconds(settings.supervision.stopTimeoutMs + 2_000))
    await closeStore()
    await finishTraces()
    log.log(.notice, "The agent has ended.")
  }

  /// Asks the host to end, as a signal would.
  public func requestStop() {
    let waiting = state.withLock { state in
      defer { state.stop = .requested }
      if case .awaited(let continuation) = state.stop { return Optional(continuation) }
      return nil
    }
    waiting?.resume()
  }

  /// Says that the API answers; once the workers were started too, systemd hears of it.
  public func managementIsReady() { cameUp("management") }

  private func cameUp(_ part: String) {
    let isComplete = state.withLock { state in
      state.awaited.remove(part) != nil && state.awaited.isEmpty
    }
    if isComplete { notifier.ready(status: "\(settings.agent.name) runs") }
  }

  private func awaitStop() async {
    await withGracefulShutdownHandler {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isRequested = state.withLock { state in
            if case .requested = state.stop { return true }
            state.stop = .awaited(continuation)
            return false
          }
          if isRequested { continuation.resume() }
        }
      } onCancel: {
        requestStop()
      }
    } onGracefulShutdown: {
      self.requestStop()
    }
  }

  private func endLeftovers() {
    let ended = Supervisor.endLeftovers(
      ledger: folder.workers, marker: "AGENT_WORKER_OF=\(folder.path)")
    guard !ended.isEmpty else { return }
    let names = ended.map { worker in
      worker.name.map { "\($0) (\(worker.pid))" } ?? "\(worker.pid)"
    }
    log.log(
      .warning,
      "A host that ran here before was killed; what it had left was ended: "
        + names.joined(separator: ", ") + ".")
  }

  private func writeSchemas() {
    do {
      guard let read = state.withLock({ $0.read.take() }) else { return }
      try folder.writeSchemas(settings: read.composedSchema)
    } catch {
      log.log(.warning, "\(error)")
    }
  }

  private func addAll() async {
    let settings = settings
    await FileWork.run { [copies = planner.copies] in
      let libraries = settings.modules.compactMap { $0.manifest.libraryPath }
      copies.removeAll(but: Set(libraries.map(copies.copy)))
    }
    moduleMetrics.keep(StateAccess.names(in: settings))
    await addAll(of: settings)
  }

  private func startWanted() async {
    let wanted = settings.processes.filter(\.enabled).map(\.name)
    for name in wanted { state.withLock { $0.inProcess[name] }?.start() }
    let supervised = wanted.filter { name in state.withLock { $0.inProcess[name] == nil } }
    await start(supervised, by: supervisor)
  }

  /// Starts processes and returns once all are settled. It lives with the supervisor meanwhile: a
  /// way there and back for each process would cost time and memory.
  private func start(_ names: [String], by supervisor: isolated Supervisor) async {
    do {
      try await supervisor.start(names)
      for name in names { _ = try await supervisor.settled(name) }
    } catch {
      log.log(.error, error.message)
    }
  }

  private func reload(on hangUps: UnixSignalsSequence) async {
    for await _ in hangUps {
      log.log(.notice, "SIGHUP: the settings are read anew.")
      do {
        let report = try await reload(dryRun: false)
        log.log(.notice, "\(report.changes.count) changes were applied.")
      } catch {
        log.log(.error, "The settings stay as they were. \(error)")
      }
    }
  }

  /// Tells systemd's watchdog that the host is alive, by way of the loop that all workers need.
  private func answerWatchdog() async {
    guard let interval = notifier.watchdogInterval else { return }
    while !Task.isCancelled {
      _ = await supervisor.status()
      notifier.alive()
      do {
        try await Task.sleep(for: .microseconds(Int64(clamping: interval / 2)))
      } catch {
        return
      }
    }
  }
}
