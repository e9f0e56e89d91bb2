/// The transitions at the end of a process.
extension ChildMachine {
  mutating func exited(_ status: ExitStatus, at now: LoopInstant) -> [ChildAction] {
    guard let purpose = purposeOfExit(status) else { return [] }
    let readyFor = readySince.map { now - $0 }
    lastExit = status
    switch purpose {
    case nil: reason = status.description
    case .stop, .restart: reason = nil
    case .broken, .refused, .ended: break
    }
    return [.cancelTimers, .report(.exited(status, reason: purpose.flatMap(\.killReason)))]
      + afterExit(purpose ?? .ended(succeeded: status.isSuccess), readyFor: readyFor, at: now)
  }

  mutating func spawnFailed(
    _ reason: String, isPermanent: Bool, at now: LoopInstant
  ) -> [ChildAction] {
    guard case .starting = internalState else { return [] }
    self.reason = reason
    if isPermanent || startMode == .held || restart.mode == .temporary { return fail(reason) }
    return [.cancelTimers] + again(readyFor: nil, at: now)
  }

  /// Returns the purpose of the exit. `nil` means that there was no process, `.some(nil)` that the
  /// child ended without a request.
  private func purposeOfExit(_ status: ExitStatus) -> Purpose?? {
    switch internalState {
    case .starting, .running: .some(nil)
    case .stopping(let stopping): stopping.purpose
    case .stopped, .backingOff, .failed, .finished: nil
    }
  }

  private mutating func afterExit(
    _ purpose: Purpose, readyFor: Duration?, at now: LoopInstant
  ) -> [ChildAction] {
    switch purpose {
    case .stop:
      move(to: .stopped)
      return [.report(.stopped)]
    case .restart:
      restarts += 1
      return [.report(.restarting(after: .zero))] + spawn()
    case .refused(let reason):
      return fail(reason)
    case .broken:
      return endedUnasked(succeeded: false, readyFor: readyFor, at: now)
    case .ended(let succeeded):
      return endedUnasked(succeeded: succeeded, readyFor: readyFor, at: now)
    }
  }

  private mutating func endedUnasked(
    succeeded: Bool, readyFor: Duration?, at now: LoopInstant
  ) -> [ChildAction] {
    if startMode == .held { return fail(reason ?? "it ended before it was started") }
    switch restart.mode {
    case .permanent: return again(readyFor: readyFor, at: now)
    case .transient where !succeeded: return again(readyFor: readyFor, at: now)
    case .transient, .temporary:
      move(to: .finished(succeeded: succeeded))
      return [.report(.finished(succeeded: succeeded))]
    }
  }

  private mutating func again(readyFor: Duration?, at now: LoopInstant) -> [ChildAction] {
    let hindered = hindrance()
    let decision = history.exited(
      at: now, readyFor: readyFor, isHindered: hindered, policy: restart, random: random)
    switch decision {
    case .giveUp(let why):
      return fail("\(why); last: \(reason ?? "unknown")")
    case .again(after: .zero):
      restarts += 1
      return [.report(.restarting(after: .zero))] + spawn()
    case .again(let pause):
      restarts += 1
      isHindered = hindered
      move(to: .backingOff(until: now + pause))
      return [.report(.restarting(after: pause)), .schedule(.backOff, after: pause)]
    }
  }

  private mutating func fail(_ reason: String) -> [ChildAction] {
    self.reason = reason
    move(to: .failed(reason: reason))
    return [.cancelTimers, .report(.failed(reason: reason))]
  }
}

extension ChildMachine.Purpose {
  var killReason: String? {
    switch self {
    case .broken(let reason), .refused(let reason): reason
    case .stop, .restart, .ended: nil
    }
  }
}
