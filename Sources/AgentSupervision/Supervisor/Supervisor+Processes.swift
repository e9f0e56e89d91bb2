import AgentSystem
import Glibc

/// Starts, watches and ends the processes of children.
extension Supervisor {
  func spawn(_ child: SupervisedChild) {
    do {
      try begin(child)
    } catch {
      receive(.spawnFailed(reason: error.message, isPermanent: error.isPermanent), for: child)
    }
  }

  private func begin(_ child: SupervisedChild) throws(SpawnError) {
    let worker: Worker
    if let successor = child.successor {
      child.successor = nil
      worker = successor
    } else {
      worker = try launch(child)
      // A start of many children doesn't wait here, so that their programs load at the same time.
      if waitsForPrograms { try awaitProgram(of: worker) }
    }
    let process = worker.process
    guard watch(worker, of: child) else {
      let number = errno
      unwatch(worker)
      worker.channel?.close(.unknown)
      throw discard(worker, number)
    }
    child.worker = worker
    records?.add(pid: process.pid, name: child.name)
    startUpkeep()
    emit(
      .spawned(pid: process.pid, spare: worker.isSpare), child.name,
      generation: worker.generation)
    if worker.channel == nil { attach(worker, to: child) }
  }

  private func awaitProgram(of worker: Worker) throws(SpawnError) {
    do {
      try worker.awaitProgram(within: SpawnUnderWay.patience)
    } catch {
      worker.process.closeDescriptors()
      throw error
    }
  }

  /// Returns a worker with a process: a spare, or a process that still loads its program. The rest
  /// of the setup runs during the loading.
  func launch(_ child: SupervisedChild) throws(SpawnError) -> Worker {
    let spec = child.spec
    if let spare = takeSpare(for: spec) {
      return Worker(
        generation: nextNumber(), spare, isSpare: true, output: configuration.output)
    }
    let spawn = try spawner.begin(spec.command, descriptors: spec.descriptors, limits: spec.limits)
    let worker = Worker(
      generation: nextNumber(), spawn.process, isSpare: false, output: configuration.output)
    worker.spawn = spawn
    return worker
  }

  func attach(_ worker: Worker, to child: SupervisedChild) {
    let channel = child.channelFactory(connection(worker, of: child))
    worker.channel = channel
    channel.attach()
  }

  private func connection(_ worker: Worker, of child: SupervisedChild) -> WorkerConnection {
    let id = child.id
    let generation = worker.generation
    let handle = WorkerHandle(generation: generation) { [weak self, loop] report in
      guard loop.isCurrent else {
        loop.execute { [weak self] in
          self?.assumeIsolated { $0.received(report, child: id, generation) }
        }
        return
      }
      self?.assumeIsolated { $0.received(report, child: id, generation) }
    }
    return WorkerConnection(
      name: child.name, pid: worker.process.pid, socket: worker.process.socket,
      crash: worker.process.crash, isSpare: worker.isSpare, loop: loop, handle: handle)
  }

  private func received(_ report: WorkerReport, child id: UInt64, _ generation: UInt64) {
    guard let child = members[id] else { return }
    // A report of the successor means that the previous process has ended.
    if child.successor?.generation == generation, let worker = child.worker {
      settleExit(child: id, worker.generation)
    }
    if let worker = child.worker, worker.generation == generation, !isStarted(worker, of: child) {
      return
    }
    receive(.reported(report), for: child, generation: generation)
  }

  private func watch(_ worker: Worker, of child: SupervisedChild) -> Bool {
    let id = child.id
    let generation = worker.generation
    worker.exitWatch = loop.register(worker.process.pidfd, for: .readable, isUrgent: true) {
      [weak self] _ in
      self?.assumeIsolated { $0.exited(child: id, generation) }
    }
    if let output = worker.process.output {
      worker.outputWatch = loop.register(output, for: .readable) { [weak self] _ in
        self?.assumeIsolated { $0.outputWaits(child: id, generation) }
      }
    }
    return worker.exitWatch != nil
  }

  /// Ends a process that no child uses, for example because it can't be watched.
  @discardableResult
  func discard(_ worker: Worker, _ number: Int32 = 0) -> SpawnError {
    worker.process.signal(SIGKILL)
    worker.process.closeDescriptors()
    discarded[worker.generation] = worker
    reapDiscarded(worker.generation, pause: .milliseconds(1))
    return SpawnError(
      isPermanent: false,
      message: "A new process can't be watched: \(SystemError.text(number)).", errno: number)
  }

  /// Reaps a killed process as soon as it has ended. This thread doesn't wait for it, because a
  /// process that hangs in the kernel may take any time, and every other child is served here.
  private func reapDiscarded(_ generation: UInt64, pause: Duration) {
    guard let pid = discarded[generation]?.process.pid else { return }
    let ended = known.reaping(pid) { () -> Int32? in
      var status: Int32 = 0
      // An error means that there is no such child any more.
      return waitpid(pid, &status, WNOHANG) == 0 ? nil : status
    }
    if ended != nil {
      discarded[generation] = nil
      return
    }
    loop.schedule(after: pause) { [weak self] in
      self?.assumeIsolated { $0.reapDiscarded(generation, pause: min(pause * 2, .seconds(1))) }
    }
  }
}
