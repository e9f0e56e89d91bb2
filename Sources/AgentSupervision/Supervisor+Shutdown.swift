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
    upkeep.cancelAll(on: loop)
    if configuration.killsOrphans { sweep() }
    ledger?.flush()
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
