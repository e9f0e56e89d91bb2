internal import AgentAccess
internal import AgentDiagnostics
internal import AgentLogging
internal import AgentProcesses
internal import AgentSettings
internal import AgentStore
internal import AgentSystem
internal import AgentWorkers
internal import Glibc
internal import ServiceLifecycle
internal import UnixSignals

extension HostApplication: Service {
  /// How often the last use of tokens is written to the database. The time stays in memory until
  /// then, so that a request doesn't cost a commit.
  private static let tokenUseInterval = Duration.seconds(300)

  /// Starts every enabled process and keeps the agent running until the service group ends or
  /// somebody asks the host to stop, which works from the first moment on.
  package func run() async throws {
    // From the very start: until it is caught, the signal ends a process.
    let hangUps = await UnixSignalsSequence(trapping: .sighup)
    let journal = start.journal
    for problem in journal.problems { log.log(.warning, problem) }
    do {
      try await withGracefulShutdownHandler {
        try await withTaskCancellationHandler {
          try await runUntilStopped(hangUps)
        } onCancel: {
          lifecycle.requestStop()
        }
      } onGracefulShutdown: {
        self.lifecycle.requestStop()
      }
    } catch {
      journal.fail("\(error)")
      throw error
    }
  }

  private func runUntilStopped(_ hangUps: UnixSignalsSequence) async throws {
    let opening = Task { try await self.open() }
    guard let doesTasks = try await lifecycle.opened(opening, close: closeDatabase) else {
      log.log(.notice, "The agent ended before it was ready.")
      return
    }
    lifecycle.opened()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.bringUp(doesTasks: doesTasks) }
      group.addTask { await self.forgetFailedStarts() }
      group.addTask { await self.reload(on: hangUps) }
      group.addTask { await self.answerWatchdog() }
      group.addTask { await self.writeTokenUse() }
      group.addTask { await self.health.run() }
      if start.safeMode == nil { runParts(in: &group) }
      await lifecycle.stopping.wait()
      group.cancelAll()
    }
    parts.notifier.stopping()
    log.log(.notice, "The agent is stopping.")
    await processes.shutdown()
    // After the workers: what they publish while they end is still stored.
    await closeDatabase()
    // Last, so that a slow collector delays nothing that has to be stored.
    await telemetry.finish()
    log.log(.notice, "The agent has ended.")
  }

  private func runParts(in group: inout TaskGroup<Void>) {
    group.addTask { await self.parts.retention.run() }
    group.addTask { await self.hostEvents.processes.remember() }
    group.addTask { await self.telemetry.run() }
    group.addTask {
      guard let store = self.database.store else { return }
      await self.notificationService.run(TracedStore(store, self.tracer))
    }
  }

  /// Closes the database once its queue is written. Nothing can be published after this.
  private func closeDatabase() async {
    await database.close {
      // Services first: a late call is refused instead of failing in the store.
      parts.state.close()
      // It stores the last use of tokens, so the database must still be open.
      await access.close()
    }
  }

  /// Writes the last use of tokens to the database every five minutes, until the task is cancelled.
  private func writeTokenUse() async {
    while !Task.isCancelled {
      do {
        try await Task.sleep(for: Self.tokenUseInterval)
      } catch {
        return
      }
      await access.runRetention()
    }
  }

  private func reload(on hangUps: UnixSignalsSequence) async {
    for await _ in hangUps {
      log.log(.notice, "SIGHUP: the settings are reloaded.")
      do {
        // A reload that waits for a worker doesn't keep the host from ending.
        let reloading = Task { try await self.reload(dryRun: false) }
        guard let report = try await lifecycle.stopping.unlessSet(reloading) else { return }
        log.log(.notice, "\(report.changes.count) changes were applied.")
      } catch {
        log.log(.error, "The settings are unchanged. \(error)")
      }
    }
  }

  /// Answers systemd's watchdog on the loop that all workers need, so that a stuck loop shows.
  private func answerWatchdog() async {
    guard let interval = parts.notifier.watchdogInterval else { return }
    while !Task.isCancelled {
      // A wait for the loop: if it hangs no worker is served, and systemd has to restart the
      // host.
      await processes.awaitLoop()
      parts.notifier.alive()
      do {
        // Half of the interval, as sd_watchdog_enabled(3) recommends.
        try await Task.sleep(for: .microseconds(Int64(clamping: interval / 2)))
      } catch {
        return
      }
    }
  }
}
