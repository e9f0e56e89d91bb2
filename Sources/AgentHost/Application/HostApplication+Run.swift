internal import AgentDiagnostics
internal import AgentLogging
internal import AgentSettings
internal import AgentSupervision
internal import AgentSystem
internal import Glibc
internal import ServiceLifecycle
internal import Synchronization
internal import UnixSignals

extension HostApplication: Service {
  /// Starts every enabled process and keeps the agent running until the service group ends or
  /// somebody asks the host to stop, which works from the first moment on.
  package func run() async throws {
    // From the very start: until it is caught, the signal ends a process.
    let hangUps = await UnixSignalsSequence(trapping: .sighup)
    // Before anything can fail: a start that leaves no record doesn't count for safe mode.
    journal.begin(pid: getpid(), at: startedAt)
    for problem in journal.problems { log.log(.warning, problem) }
    do {
      try await withGracefulShutdownHandler {
        try await withTaskCancellationHandler {
          try await live(hangUps)
        } onCancel: {
          requestStop()
        }
      } onGracefulShutdown: {
        self.requestStop()
      }
    } catch {
      journal.fail("\(error)")
      throw error
    }
  }

  private func live(_ hangUps: UnixSignalsSequence) async throws {
    guard let doesTasks = try await opened(Task { try await self.open() }) else {
      log.log(.notice, "The agent ended before it was ready.")
      return
    }
    state.withLock { $0.takesChanges = true }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.bringUp(doesTasks: doesTasks) }
      group.addTask { await self.rememberStart() }
      group.addTask { await self.reload(on: hangUps) }
      group.addTask { await self.answerWatchdog() }
      group.addTask { await self.keepAccess() }
      group.addTask { await self.watchHealth() }
      if safeMode == nil {
        group.addTask { await self.keepRetention() }
        group.addTask { await self.processEvents.remember() }
        group.addTask { await self.runNotifications() }
        group.addTask { await self.exportTraces() }
      }
      await stopping.wait()
      group.cancelAll()
    }
    notifier.stopping()
    log.log(.notice, "The agent is stopping.")
    stopInProcess()
    await supervisor.shutdown(
      deadline: .milliseconds(settings.supervision.stopTimeoutMs + 2_000))
    // After the workers: what they publish while they end is still stored.
    await closeStore()
    // Last, so that a slow collector delays nothing that has to be stored.
    await finishTraces()
    log.log(.notice, "The agent has ended.")
  }

  /// Records that the API answers; once the workers were started too, systemd is notified.
  package func managementIsReady() { cameUp("management") }

  func cameUp(_ part: String) {
    let isComplete = state.withLock { state in
      state.awaited.remove(part) != nil && state.awaited.isEmpty
    }
    if isComplete { notifier.ready(status: statusLine) }
  }

  /// The line that systemd shows for the host.
  var statusLine: String {
    "\(settings.agent.name) runs" + (safeMode == nil ? "" : " in safe mode")
  }

  private func reload(on hangUps: UnixSignalsSequence) async {
    for await _ in hangUps {
      log.log(.notice, "SIGHUP: the settings are reloaded.")
      do {
        // A reload that waits for a worker doesn't keep the host from ending.
        let reloading = Task { try await self.reload(dryRun: false) }
        guard let report = try await stopping.unlessSet(reloading) else { return }
        log.log(.notice, "\(report.changes.count) changes were applied.")
      } catch {
        log.log(.error, "The settings are unchanged. \(error)")
      }
    }
  }

  /// Answers systemd's watchdog on the loop that all workers need, so that a stuck loop shows.
  private func answerWatchdog() async {
    guard let interval = notifier.watchdogInterval else { return }
    while !Task.isCancelled {
      // A wait for the loop: if it hangs no worker is served, and systemd has to restart the
      // host.
      _ = await supervisor.status()
      notifier.alive()
      do {
        // Half of the interval, as sd_watchdog_enabled(3) recommends.
        try await Task.sleep(for: .microseconds(Int64(clamping: interval / 2)))
      } catch {
        return
      }
    }
  }
}
