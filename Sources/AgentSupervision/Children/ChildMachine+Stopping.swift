import Glibc

/// The steps of a stop: STOP, SIGTERM, SIGKILL.
extension ChildMachine {
  /// Begins a stop by STOP, so that the child can exit by itself.
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

  /// Kills the child at once. Its status shows the reason.
  mutating func kill(for reason: String) -> [ChildAction] {
    let purpose: Purpose
    switch internalState {
    case .starting, .running: purpose = .broken(reason: reason)
    // Reports after SIGKILL change nothing, and they must not fill the log.
    case .stopping(let stopping) where stopping.stage == .killed: return []
    case .stopping(let stopping): purpose = stopping.purpose
    case .stopped, .backingOff, .failed, .finished: return []
    }
    self.reason = reason
    move(to: .stopping(Stopping(stage: .killed, purpose: purpose, readySince: readySince)))
    return [.cancelTimers, .signal(SIGKILL), .report(.stopping(reason: reason))]
  }

  /// Takes the next step of a stop whose deadline has passed.
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

  /// The time since when the child is ready, or was ready before its stop began.
  var readySince: LoopInstant? {
    switch internalState {
    case .running(let running): running.since
    case .stopping(let stopping): stopping.readySince
    default: nil
    }
  }
}
