import Glibc

/// The end of a child's process, and what follows it at once.
extension Supervisor {
  /// How long work that isn't urgent is put off, so that it doesn't compete with a process that was
  /// just started.
  private static let moment: Duration = .milliseconds(5)

  /// The process is dead. Its group is killed before it is reaped: until then the group's number
  /// can't be another's.
  ///
  /// When it will most likely be followed at once, its successor is started before anything else,
  /// and the rest waits until that has something to say, or for a moment.
  func exited(child id: UInt64, _ generation: UInt64) {
    guard let child = members[id], let worker = child.worker, worker.generation == generation,
      !worker.isGone, let status = worker.process.peek(), isLoaded(worker, of: child)
    else { return }
    worker.exit = status
    _ = kill(-worker.process.pid, SIGKILL)
    let isFollowed = prepareSuccessor(of: child, after: status)
    unwatch(worker)
    worker.channel?.exited()
    guard isFollowed else { return settle(worker, of: child) }
    loop.schedule(after: Self.moment) { [weak self] in
      self?.assumeIsolated { $0.settleExit(child: id, generation) }
    }
  }

  /// Processes an exit that was put off.
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
      bury(worker)
    } else {
      buryLater(worker, of: child)
    }
    sweepSoon()
  }

  /// Whether the program of a process was loaded. Nothing has waited for a successor's loading
  /// before. If it failed, the process is removed and the start of the child has failed.
  func isLoaded(_ worker: Worker, of child: SupervisedChild) -> Bool {
    do {
      try worker.finishSpawn()
      return true
    } catch {
      worker.isGone = true
      unwatch(worker)
      worker.channel?.close(.exited(code: 127))
      worker.process.closeDescriptors()
      ledger?.remove(pid: worker.process.pid)
      child.worker = nil
      receive(.spawnFailed(reason: error.message, isPermanent: error.isPermanent), for: child)
      return false
    }
  }

  // MARK: Successors

  /// Starts what will most likely follow, before anything else is seen to: its program is loaded
  /// while the host does its part.
  private func prepareSuccessor(of child: SupervisedChild, after status: ExitStatus) -> Bool {
    var trial = child.machine
    guard !isShuttingDown, child.replacement == nil,
      trial.receive(.exited(status), at: loop.now).contains(.spawn)
    else { return false }
    // An error isn't reported here: the regular start finds it again and reports it.
    guard let successor = try? launch(child) else { return false }
    child.successor = successor
    attach(successor, to: child)
    return true
  }

  /// Ends a successor that is no longer wanted, because of the last reports of the process.
  private func discardSuccessor(of child: SupervisedChild, _ status: ExitStatus) {
    guard let successor = child.successor else { return }
    child.successor = nil
    successor.channel?.close(status)
    do {
      try successor.spawn?.finishOrClose()
      _ = discard(successor.process, 0)
    } catch {
      // There was no process to end.
    }
  }

  // MARK: Afterwards

  private func unwatch(_ worker: Worker) {
    worker.exitWatch.map(loop.deregister)
    worker.outputWatch.map(loop.deregister)
    worker.exitWatch = nil
    worker.outputWatch = nil
  }

  private func bury(_ worker: Worker) {
    _ = known.reaping(worker.process.pid, worker.process.reap)
    worker.process.closeDescriptors()
    ledger?.remove(pid: worker.process.pid)
    tidySoon()
  }

  private func buryLater(_ worker: Worker, of child: SupervisedChild) {
    let id = child.id
    let generation = worker.generation
    unburied[generation] = worker
    loop.schedule(after: Self.moment) { [weak self] in
      self?.assumeIsolated { $0.seeToTheRest(of: generation, child: id) }
    }
  }

  /// Reaps at once those that were to be reaped a little later.
  func buryAll() {
    for worker in unburied.values { bury(worker) }
    unburied = [:]
  }

  private func seeToTheRest(of generation: UInt64, child id: UInt64) {
    if let worker = unburied.removeValue(forKey: generation) { bury(worker) }
    guard let child = members[id], let worker = child.worker, !worker.isGone else { return }
    _ = isLoaded(worker, of: child)
  }
}
