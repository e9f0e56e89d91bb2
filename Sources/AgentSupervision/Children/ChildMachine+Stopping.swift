import Glibc

/// The way down: STOP, SIGTERM, SIGKILL.
extension ChildMachine {
  /// Begins a stop that the child may follow by itself.
  mutating func ask(
    for purpose: Purpose, reason: String?, deadline: Duration? = nil, at now: LoopInstant
  ) -> [ChildAction] {
    let deadline = deadline ?? timeouts.stop
    move(
      to: .stopping(
        Stopping(
          stage: .asked, purpose: purpose, readySince: readySince, deadline: now + deadline)))
    return [
      .cancelTimers, .report(.stopping(reason: reason)), .askToStop(deadline: deadline),
      .schedule(.stop, after: deadline),
    ]
  }

  /// Kills the child at once, for a reason that its status will show.
  mutating func kill(for reason: String) -> [ChildAction] {
    let purpose: Purpose
    switch internalState {
    case .starting, .running: purpose = .broken(reason: reason)
    // Whatever a worker does after SIGKILL was sent changes nothing, and must not fill the log.
    case .stopping(let stopping) where stopping.stage == .killed: return []
    case .stopping(let stopping): purpose = stopping.purpose
    case .stopped, .backingOff, .failed, .finished: return []
    }
    self.reason = reason
    move(to: .stopping(Stopping(stage: .killed, purpose: purpose, readySince: readySince)))
    return [.cancelTimers, .signal(SIGKILL), .report(.stopping(reason: reason))]
  }

  /// The next, harsher step of a stop whose deadline passed.
  mutating func stopOverdue() -> [ChildAction] {
    guard case .stopping(var stopping) = internalState else { return [] }
    switch stopping.stage {
    case .asked:
      stopping.stage = .terminated
      stopping.deadline = nil
      move(to: .stopping(stopping))
      return [.signal(SIGTERM), .schedule(.stop, after: timeouts.terminate)]
    case .terminated:
      stopping.stage = .killed
      move(to: .stopping(stopping))
      return [.signal(SIGKILL)]
    case .killed:
      return []
    }
  }

  mutating func limitExceeded(_ message: String) -> [ChildAction] {
    let actions = kill(for: message)
    return actions.isEmpty ? [] : [.report(.limitExceeded(message: message))] + actions
  }

  /// Since when the child has been ready, when it is or was before its stop began.
  var readySince: LoopInstant? {
    switch internalState {
    case .running(let running): running.since
    case .stopping(let stopping): stopping.readySince
    default: nil
    }
  }
}
