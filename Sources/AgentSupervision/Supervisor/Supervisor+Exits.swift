import Glibc

/// Handles the end of a child's process and starts its successor.
extension Supervisor {
  /// The delay of work that isn't urgent, so that a process that was just started has the
  /// processor.
  private static let moment: Duration = .milliseconds(5)

  /// Handles the exit of a process. Its group is killed before the process is reaped, because the
  /// group's number can't be reused until then.
  ///
  /// The channel reads the bytes that the process left before a successor starts, so that events
  /// keep their order.
  func exited(child id: UInt64, _ generation: UInt64) {
    guard let child = members[id], let worker = child.worker, worker.generation == generation,
      !worker.isGone, let status = worker.process.peek(), isStarted(worker, of: child)
    else { return }
    worker.exit = status
    worker.endedAt = loop.now
    _ = kill(-worker.process.pid, SIGKILL)
    unwatch(worker)
    worker.channel?.exited()
    drain(child: id, generation)
  }

  /// Reads what a process left, a part at a time, and then handles its end.
  ///
  /// If a restart will most likely follow, the successor is started before any other work. The rest
  /// of the work waits until the successor reports something, or for a moment.
  private func drain(child id: UInt64, _ generation: UInt64) {
    guard let child = members[id], let worker = child.worker, worker.generation == generation,
      !worker.isGone, let status = worker.exit
    else { return }
    if mayDrain(worker), worker.channel?.drain() == false {
      loop.schedule(after: Self.moment) { [weak self] in
        self?.assumeIsolated { $0.drain(child: id, generation) }
      }
      return
    }
    guard prepareSuccessor(of: child, after: status) else { return settle(worker, of: child) }
    loop.schedule(after: Self.moment) { [weak self] in
      self?.assumeIsolated { $0.settleExit(child: id, generation) }
    }
  }

  private func mayDrain(_ worker: Worker) -> Bool {
    guard let endedAt = worker.endedAt else { return false }
    let limit = configuration.drainLimit
    return loop.now - endedAt < (isShuttingDown ? limit / 10 : limit)
  }

  /// Processes a delayed exit.
  func settleExit(child id: UInt64, _ generation: UInt64) {
    guard let child = members[id], let worker = child.worker, worker.generation == generation,
      !worker.isGone
    else { return }
    settle(worker, of: child)
  }

  private func settle(_ worker: Worker, of child: SupervisedChild) {
    guard let status = worker.exit else { return }
    worker.isGone = true
    finishOutput(worker, of: child)
    worker.channel?.close(status)
    receive(.exited(status), for: child, generation: worker.generation)
    discardSuccessor(of: child, status)
    if child.worker === worker {
      child.worker = nil
      reap(worker)
    } else {
      reapLater(worker, of: child)
    }
    sweepSoon()
  }

  /// Returns whether a process has been started, as far as is known: its program may still be
  /// loading. If loading has failed, the process is removed and the child's start has failed.
  /// - Parameter limit: how long to wait for a program that is being loaded.
  func isStarted(
    _ worker: Worker, of child: SupervisedChild, within limit: Duration = .zero
  ) -> Bool {
    do {
      try worker.awaitProgram(within: limit)
      return true
    } catch {
      worker.isGone = true
      unwatch(worker)
      worker.channel?.close(.exited(code: 127))
      worker.process.closeDescriptors()
      records?.remove(pid: worker.process.pid)
      child.worker = nil
      receive(.spawnFailed(reason: error.message, isPermanent: error.isPermanent), for: child)
      return false
    }
  }

  // MARK: Successors

  /// Starts the process that will most likely follow, before any other work. Its program is loaded
  /// while the host processes the exit.
  private func prepareSuccessor(of child: SupervisedChild, after status: ExitStatus) -> Bool {
    // A copy of the state machine shows what would follow. The machine itself changes after the
    // process's last reports.
    var trial = child.machine
    guard !isShuttingDown, child.replacement == nil,
      trial.receive(.exited(status), at: loop.now).contains(.spawn)
    else { return false }
    // The error isn't reported here, because the regular start meets it again and reports it.
    guard let successor = try? launch(child) else { return false }
    child.successor = successor
    attach(successor, to: child)
    return true
  }

  /// Ends a successor that the last reports of the process have made unnecessary.
  private func discardSuccessor(of child: SupervisedChild, _ status: ExitStatus) {
    guard let successor = child.successor else { return }
    child.successor = nil
    successor.channel?.close(status)
    discard(successor)
  }

  // MARK: Afterwards

  func unwatch(_ worker: Worker) {
    worker.exitWatch.map(loop.deregister)
    worker.outputWatch.map(loop.deregister)
    worker.exitWatch = nil
    worker.outputWatch = nil
  }

  private func reap(_ worker: Worker) {
    _ = known.reaping(worker.process.pid, worker.process.reap)
    worker.process.closeDescriptors()
    records?.remove(pid: worker.process.pid)
    removeEndedSoon()
  }

  private func reapLater(_ worker: Worker, of child: SupervisedChild) {
    let id = child.id
    let generation = worker.generation
    unreaped[generation] = worker
    loop.schedule(after: Self.moment) { [weak self] in
      self?.assumeIsolated { $0.finishExit(of: generation, child: id) }
    }
  }

  /// Reaps at once all processes whose reaping was delayed.
  func reapAll() {
    for worker in unreaped.values { reap(worker) }
    unreaped = [:]
  }

  private func finishExit(of generation: UInt64, child id: UInt64) {
    if let worker = unreaped.removeValue(forKey: generation) { reap(worker) }
    guard let child = members[id], let worker = child.worker, !worker.isGone else { return }
    _ = isStarted(worker, of: child)
  }
}
