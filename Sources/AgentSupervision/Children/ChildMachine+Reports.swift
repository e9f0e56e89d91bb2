/// The transitions for reports of the channel and for timers.
extension ChildMachine {
  mutating func reported(_ report: WorkerReport, at now: LoopInstant) -> [ChildAction] {
    switch report {
    case .ready: ready(at: now)
    case .started: started()
    case .alive: alive()
    case .stopped: []
    case .endedByItself(let succeeded, let message): ended(succeeded: succeeded, message, at: now)
    case .refused(let reason): refused(reason, at: now)
    case .breach(let reason): kill(for: reason)
    case .hungUp: hungUp()
    }
  }

  mutating func timerDue(_ timer: ChildTimer) -> [ChildAction] {
    if let look = secondLook(at: timer) { return look }
    return switch timer {
    case .ready: readyOverdue()
    case .backOff: pauseOver()
    case .stop: stopOverdue()
    case .ping: ping()
    case .answer: answerOverdue()
    case .hangUp: hangUpOverdue()
    }
  }

  /// The pause before a child that seems silent is judged. It is long enough for the loop to read
  /// what lies in the sockets.
  package static let secondLookPause = Duration.milliseconds(200)

  /// Returns the actions that put off a judgment about a silent child, and `nil` for the second one.
  ///
  /// Rationale: after a stall of the loop, its timers are due before it has read the sockets. The
  /// child may have answered long ago.
  private mutating func secondLook(at timer: ChildTimer) -> [ChildAction]? {
    let isSilent =
      switch (timer, internalState) {
      case (.ready, .starting), (.hangUp, .starting), (.hangUp, .running): true
      case (.answer, .running(let running)): running.isPinged
      default: false
      }
    guard isSilent else { return nil }
    guard lookedAt.insert(timer).inserted else {
      lookedAt.remove(timer)
      return nil
    }
    return [.schedule(timer, after: Self.secondLookPause)]
  }

  private mutating func ready(at now: LoopInstant) -> [ChildAction] {
    guard case .starting = internalState else { return [] }
    move(to: .running(Running(since: now)))
    let begin: [ChildAction] = [.cancel(.ready), .report(.ready)]
    return startMode == .held ? begin : begin + startWork()
  }

  private mutating func started() -> [ChildAction] {
    guard case .running(var running) = internalState, !running.isStarted else { return [] }
    running.isStarted = true
    move(to: .running(running))
    return [.report(.started)]
  }

  private mutating func ping() -> [ChildAction] {
    guard case .running(var running) = internalState else { return [] }
    running.isPinged = true
    move(to: .running(running))
    return [.schedule(.answer, after: timeouts.pingAnswer), .ping]
  }

  private mutating func alive() -> [ChildAction] {
    guard case .running(var running) = internalState, running.isPinged else { return [] }
    lookedAt.remove(.answer)
    running.isPinged = false
    move(to: .running(running))
    return [.cancel(.answer)] + schedulePing()
  }

  /// The first ping follows START and doesn't wait for its answer. Otherwise a child that hangs in
  /// its start would go unnoticed.
  func startWork() -> [ChildAction] {
    [.startWork] + schedulePing()
  }

  private func schedulePing() -> [ChildAction] {
    timeouts.pingInterval.map { [.schedule(.ping, after: $0)] } ?? []
  }

  private mutating func answerOverdue() -> [ChildAction] {
    guard case .running(let running) = internalState, running.isPinged else { return [] }
    return kill(for: "didn't answer for \(timeouts.pingAnswer.forPeople)")
  }

  private mutating func readyOverdue() -> [ChildAction] {
    guard case .starting = internalState else { return [] }
    return kill(for: "wasn't ready after \(timeouts.ready.forPeople)")
  }

  private mutating func ended(
    succeeded: Bool, _ message: String?, at now: LoopInstant
  ) -> [ChildAction] {
    switch internalState {
    case .starting, .running:
      reason = message ?? (succeeded ? "ended by itself" : "ended by itself with an error")
      return ask(for: .ended(succeeded: succeeded), reason: reason, at: now)
    default:
      return []
    }
  }

  private mutating func refused(_ reason: String, at now: LoopInstant) -> [ChildAction] {
    switch internalState {
    case .starting, .running:
      self.reason = reason
      return ask(for: .refused(reason: reason), reason: reason, at: now)
    default:
      return []
    }
  }

  /// A process that exits closes its socket before its exit is visible. Only a process that
  /// continues after that has broken the rules.
  private mutating func hungUp() -> [ChildAction] {
    switch internalState {
    case .starting, .running: [.schedule(.hangUp, after: timeouts.hangUp)]
    default: []
    }
  }

  private mutating func hangUpOverdue() -> [ChildAction] {
    switch internalState {
    case .starting, .running: kill(for: "closed its socket and went on running")
    default: []
    }
  }

  private mutating func pauseOver() -> [ChildAction] {
    guard case .backingOff = internalState else { return [] }
    return spawn()
  }
}
