import Glibc

/// The end of everything.
extension Supervisor {
  /// Stops all children at once: STOP, after `deadline` (or the child's own, where that is shorter)
  /// SIGTERM, then SIGKILL. Returns when no process is left. Nothing can be started afterwards.
  public func shutdown(deadline: Duration = .seconds(10)) async {
    isShuttingDown = true
    for child in members.values { abandonReplacement(of: child, "the host began to stop") }
    for child in members.values {
      let limit = min(deadline, child.spec.timeouts.stop)
      receive(.stopRequested(deadline: limit), for: child)
    }
    dropUnusedSpares()
    if !isIdle { await withCheckedContinuation { upkeep.shutdownWaiters.append($0) } }
    buryAll()
    upkeep.cancelAll(on: loop)
    if configuration.killsOrphans { await sweepUntilNothingIsLeft() }
    ledger?.flush()
  }

  /// What was killed takes a moment to die and may leave children; a process that can't be killed
  /// (it hangs in the kernel) doesn't hold the host up for more than a second.
  private func sweepUntilNothingIsLeft() async {
    for _ in 0..<200 {
      if sweep() == 0 { return }
      await withCheckedContinuation { done in
        loop.schedule(after: .milliseconds(5)) { done.resume() }
      }
    }
  }

  func checkShutdown() {
    guard !upkeep.shutdownWaiters.isEmpty, isIdle else { return }
    let waiters = upkeep.shutdownWaiters
    upkeep.shutdownWaiters = []
    for waiter in waiters { waiter.resume() }
  }

  /// Whether nothing runs any more.
  private var isIdle: Bool {
    spares.isEmpty && members.values.allSatisfy { $0.worker == nil || $0.worker?.isGone == true }
  }
}
