import Glibc

/// The beginning and the end of a child's process.
extension Supervisor {
  func spawn(_ child: SupervisedChild) {
    do {
      try begin(child)
    } catch {
      receive(.spawnFailed(reason: error.message, isPermanent: error.isPermanent), for: child)
    }
  }

  private func begin(_ child: SupervisedChild) throws(SpawnError) {
    let spec = child.spec
    let spare = takeSpare(for: spec)
    let process: SpawnedProcess
    if let spare {
      process = spare
    } else {
      process = try spawner.spawn(spec.command, spec.descriptors, spec.limits)
    }
    let worker = Worker(
      generation: nextNumber(), process, isSpare: spare != nil, output: configuration.output)
    guard watch(worker, of: child) else {
      throw discard(process)
    }
    child.worker = worker
    ledger?.add(pid: process.pid, name: spec.name)
    startUpkeep()
    emit(
      .spawned(pid: process.pid, spare: worker.isSpare), spec.name, generation: worker.generation)
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
          self?.assumeIsolated { $0.heard(report, child: id, generation) }
        }
        return
      }
      self?.assumeIsolated { $0.heard(report, child: id, generation) }
    }
    return WorkerConnection(
      name: child.name, pid: worker.process.pid, socket: worker.process.socket,
      crash: worker.process.crash, isSpare: worker.isSpare, loop: loop, handle: handle)
  }

  private func heard(_ report: WorkerReport, child id: UInt64, _ generation: UInt64) {
    guard let child = members[id] else { return }
    receive(.reported(report), for: child, generation: generation)
  }

  private func watch(_ worker: Worker, of child: SupervisedChild) -> Bool {
    let id = child.id
    let generation = worker.generation
    worker.exitWatch = loop.register(worker.process.pidfd, .readable) { [weak self] _ in
      self?.assumeIsolated { $0.exited(child: id, generation) }
    }
    if let output = worker.process.output {
      worker.outputWatch = loop.register(output, .readable) { [weak self] _ in
        self?.assumeIsolated { $0.outputWaits(child: id, generation) }
      }
    }
    return worker.exitWatch != nil
  }

  /// Ends a process that can't be watched.
  private func discard(_ process: SpawnedProcess) -> SpawnError {
    let number = errno
    process.signal(SIGKILL)
    _ = known.reaping(process.pid) {
      var status: Int32 = 0
      return waitpid(process.pid, &status, 0)
    }
    process.closeDescriptors()
    return SpawnError(
      isPermanent: false,
      message: "A new process can't be watched: \(SystemError.text(number)).", errno: number)
  }

  /// The process is dead. Its group is killed before it is reaped: until then the group's number
  /// can't be another's.
  private func exited(child id: UInt64, _ generation: UInt64) {
    guard let child = members[id], let worker = child.worker, worker.generation == generation,
      !worker.isGone
    else { return }
    worker.process.signal(SIGKILL)
    guard let status = known.reaping(worker.process.pid, worker.process.reap) else { return }
    worker.isGone = true
    finishOutput(worker, of: child)
    worker.channel?.close(status)
    receive(.exited(status), for: child, generation: generation)
    // Only now, because somebody may wait for the replacement that has just been started.
    forget(worker)
    if child.worker === worker { child.worker = nil }
    sweepSoon()
  }

  private func forget(_ worker: Worker) {
    worker.exitWatch.map(loop.deregister)
    worker.outputWatch.map(loop.deregister)
    worker.process.closeDescriptors()
    ledger?.remove(pid: worker.process.pid)
  }
}
