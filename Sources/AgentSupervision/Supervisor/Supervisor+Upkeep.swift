import CSupervision
import Glibc

/// The state of regular work: limits, orphans and the ledger.
struct Upkeep {
  var isStarted = false
  var sampleTimer: LoopTimer?
  var sweepTimer: LoopTimer?
  var soonTimer: LoopTimer?
  var isTidyingPlanned = false
  var sweptAt: ProcessCensus?
  var shutdownWaiters: [CheckedContinuation<Void, Never>] = []

  mutating func cancelAll(on loop: EventLoop) {
    for timer in [sampleTimer, sweepTimer, soonTimer] { timer.map(loop.cancel) }
    sampleTimer = nil
    sweepTimer = nil
    soonTimer = nil
    isStarted = false
  }
}

extension Supervisor {
  /// The time from an exit to the sweep for the orphans that it left.
  private static let soon: Duration = .milliseconds(10)
  /// The delay of work that isn't urgent, so that processes that were just started have the
  /// processor.
  private static let tidyingPause: Duration = .milliseconds(5)

  /// Starts the regular work. It is called at each spawn, so it must be fast.
  func startUpkeep() {
    removeEndedSoon()
    if upkeep.isStarted { return }
    upkeep.isStarted = true
    planSampling()
    guard configuration.killsOrphans else { return }
    _ = cs_become_subreaper()
    planSweep()
  }

  // MARK: The ledger, and descriptors for the next child

  func removeEndedSoon() {
    guard !upkeep.isTidyingPlanned else { return }
    upkeep.isTidyingPlanned = true
    loop.schedule(after: Self.tidyingPause) { [weak self] in
      self?.assumeIsolated { $0.removeEnded() }
    }
  }

  private func removeEnded() {
    upkeep.isTidyingPlanned = false
    if !isShuttingDown { spawner.restock() }
    if let problem = records?.flush() { emit(.problem(message: problem), "") }
  }

  // MARK: Limits

  private func planSampling() {
    upkeep.sampleTimer = loop.schedule(after: configuration.sampleInterval) { [weak self] in
      self?.assumeIsolated { $0.sampleLimits() }
    }
  }

  private func sampleLimits() {
    planSampling()
    let targets = members.values.compactMap { child -> LimitSampler.Target? in
      // A process that loads its program shares the host's memory.
      guard child.spec.limits.isSampled, let worker = child.worker, !worker.isGone,
        !worker.isLoading
      else { return nil }
      return .init(
        id: worker.generation, pid: worker.process.pid, limits: child.spec.limits)
    }
    guard !targets.isEmpty else { return }
    for (generation, message) in sampler.sample(targets, at: loop.now) {
      guard let child = members.values.first(where: { $0.worker?.generation == generation }) else {
        continue
      }
      receive(.limitExceeded(message: message), for: child, generation: generation)
    }
  }

  // MARK: Orphans

  private func planSweep() {
    upkeep.sweepTimer = loop.schedule(after: configuration.sweepInterval) { [weak self] in
      self?.assumeIsolated { $0.sweepRegularly() }
    }
  }

  func sweepSoon() {
    removeEndedSoon()
    guard configuration.killsOrphans, upkeep.soonTimer == nil else { return }
    upkeep.soonTimer = loop.schedule(after: Self.soon) { [weak self] in
      self?.assumeIsolated { supervisor in
        supervisor.upkeep.soonTimer = nil
        supervisor.sweep()
      }
    }
  }

  private func sweepRegularly() {
    planSweep()
    let census = ProcessCensus.read()
    // While no process has started or ended on the machine there can't be a new orphan.
    if census == nil || census != upkeep.sweptAt { sweep() }
    upkeep.sweptAt = census
  }

  /// Kills and reaps the processes that were re-parented to this one. Returns their number. If
  /// there are any, it plans the next sweep, because the children of killed processes appear after
  /// them.
  @discardableResult
  func sweep() -> Int {
    let outcome = OrphanSweeper(known: known).sweep()
    guard outcome.found > 0 else { return 0 }
    if outcome.killed > 0 { emit(.orphansKilled(count: outcome.killed), "") }
    if !isShuttingDown { sweepSoon() }
    return outcome.found
  }
}
