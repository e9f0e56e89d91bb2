import Glibc

/// Stops all children for good.
extension Supervisor {
  /// Stops all children at once: STOP, then SIGTERM after `deadline` or the child's own deadline if
  /// that is shorter, then SIGKILL. Returns when no process is left, or when the remaining ones
  /// hang in the kernel. No child can be started afterwards.
  public func shutdown(deadline: Duration = .seconds(10)) async {
    isShuttingDown = true
    // A replacement would start its new process during the shutdown.
    for child in members.values { abandonReplacement(of: child, "the host began to stop") }
    var terminate = Duration.zero
    for child in members.values {
      let limit = min(deadline, child.spec.timeouts.stop)
      terminate = max(terminate, child.spec.timeouts.terminate)
      receive(.stopRequested(deadline: limit), for: child)
    }
    dropUnusedSpares()
    if !isIdle { await idle(within: deadline + terminate + Self.graceOfKernel) }
    reapAll()
    upkeep.cancelAll(on: loop)
    if configuration.killsOrphans { await sweepUntilNothingIsLeft() }
    records?.flush()
  }

  private func idle(within limit: Duration) async {
    let timer = loop.schedule(after: limit) { [weak self] in
      self?.assumeIsolated { $0.shutdownOverdue() }
    }
    await withCheckedContinuation { upkeep.shutdownWaiters.append($0) }
    loop.cancel(timer)
  }

  private func shutdownOverdue() {
    let left = members.values.filter { $0.worker != nil && $0.worker?.isGone != true }
    let names = left.map(\.name).sorted().joined(separator: ", ")
    emit(.problem(message: "Processes that were killed hang in the kernel: \(names)."), "")
    endShutdownWaits()
  }

  private func endShutdownWaits() {
    let waiters = upkeep.shutdownWaiters
    upkeep.shutdownWaiters = []
    for waiter in waiters { waiter.resume() }
  }

  /// Sweeps until no orphan is left. A killed process takes a moment to end and may leave children.
  /// A process that hangs in the kernel delays the host by about a second at most.
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
    endShutdownWaits()
  }

  /// Whether no process runs any more.
  private var isIdle: Bool {
    spares.isEmpty && members.values.allSatisfy { $0.worker == nil || $0.worker?.isGone == true }
  }
}
