import Glibc

/// Passes inputs to the machines and carries out their actions.
extension Supervisor {
  func receive(
    _ input: ChildInput, for child: SupervisedChild, generation: UInt64? = nil
  ) {
    inbox.append(.init(child: child.id, generation: generation, input: input))
    guard inbox.beginDraining() else { return }
    while let entry = inbox.popFirst() {
      guard let child = members[entry.child] else { continue }
      // The child has another process by now, so a report about the earlier one is out of date.
      if let generation = entry.generation, child.worker?.generation != generation { continue }
      advance(child, with: entry.input)
    }
  }

  private func advance(_ child: SupervisedChild, with input: ChildInput) {
    perform(child.machine.receive(input, at: loop.now), for: child)
    continueReplacement(of: child)
    child.wakeWaiters(on: loop)
    if isShuttingDown { checkShutdown() }
  }

  func perform(_ actions: [ChildAction], for child: SupervisedChild) {
    for action in actions { perform(action, for: child) }
  }

  private func perform(_ action: ChildAction, for child: SupervisedChild) {
    switch action {
    case .spawn: spawn(child)
    case .startWork: channel(of: child)?.start()
    case .askToStop(let deadline): channel(of: child)?.stop(deadline: deadline)
    case .signal(let signal): self.signal(signal, to: child)
    case .ping: channel(of: child)?.ping()
    case .schedule(let timer, let delay): schedule(timer, after: delay, for: child)
    case .cancel(let timer): child.timers.remove(timer).map(loop.cancel)
    case .cancelTimers: child.timers.removeAll().forEach(loop.cancel)
    case .report(let event): report(event, of: child)
    }
  }

  private func channel(of child: SupervisedChild) -> (any WorkerChannel)? {
    guard let worker = child.worker, !worker.isGone else { return nil }
    return worker.channel
  }

  private func signal(_ signal: Int32, to child: SupervisedChild) {
    guard let worker = child.worker, !worker.isGone else { return }
    worker.process.signal(signal)
  }

  private func schedule(
    _ kind: ChildTimer, after delay: Duration, for child: SupervisedChild
  ) {
    let id = child.id
    let timer = loop.schedule(after: delay) { [weak self] in
      self?.assumeIsolated { $0.timerDue(kind, child: id) }
    }
    child.timers.set(kind, timer).map(loop.cancel)
  }

  private func timerDue(_ kind: ChildTimer, child id: UInt64) {
    guard let child = members[id] else { return }
    _ = child.timers.remove(kind)
    receive(.timer(kind), for: child)
  }

  private func report(_ event: SupervisionEvent.Kind, of child: SupervisedChild) {
    emit(event, child.name, generation: child.worker?.generation ?? 0)
    if event == .ready { child.worker?.readyAt = WallClock.microseconds }
    switch event {
    case .ready, .failed: refillSpares(of: child)
    default: break
    }
  }
}
