package import AgentStore
internal import AgentSystem
internal import Synchronization

/// Keeps leases, time-outs and delays as long as they are when the clock is set. Stored times are
/// moved by the same amount.
extension TaskEngine {
  /// Moves stored times as soon as the clock jumps. The write is submitted before any caller gets
  /// the new time, so every write that uses the new time comes after it.
  func observeClock(_ store: any Store) {
    clock.whenJumped { [weak self, log] jump in
      log(
        .warning,
        "The clock was set by \(jump) ms, or the machine was suspended; leases and time-outs of tasks "
          + "are moved by the same time.")
      self?.move(store)
    }
  }

  /// Moves stored times by the amount that the clock was set while no host ran.
  func recallClock(_ store: any Store) async throws {
    let jump = try await store.write { [clock] transaction in
      try Self.applyJump(of: clock, transaction.tasks)
    }
    if jump != 0 {
      log(
        .warning,
        "The clock was set by \(jump) ms since the host last ran; leases and time-outs of tasks "
          + "are moved by the same time.")
    }
  }

  /// Moves stored times and retries until that is stored: 250 ms after the first failure, then
  /// after twice the delay, up to 10 s.
  private func move(_ store: any Store, after wait: Int64 = 250) {
    store.submit(.savepoint) {
      try self.applyJump(in: $0)
    } completion: { [weak self] (outcome: Result<Void, any Error>) in
      guard let self else { return }
      switch outcome {
      case .success:
        flush()
        wakeTimer.ring()
      case .failure(let error):
        // The host ends. The next start compares the clocks again.
        if (error as? StoreError)?.code == .closed { return }
        // The warning is logged once and not for each retry.
        if wait == 250 {
          log(.warning, "Leases and time-outs can't be moved yet; the host retries. \(error)")
        }
        Task(executorPreference: executor) { [self] in
          try? await pause(.milliseconds(wait))
          move(store, after: min(wait.multiplied(2), 10_000))
        }
      }
    }
  }

  /// Applies a pending jump of the clock. Every transaction calls this first, because nothing may
  /// be stored with the new time before the stored times have moved. Most calls do nothing.
  package func applyJump(in transaction: any StoreTransaction) throws {
    guard let number = clock.unappliedJump else { return }
    _ = try Self.applyJump(of: clock, transaction.tasks)
    // After the commit, because a transaction that fails doesn't move the stored times.
    transaction.afterCommit { [clock] in clock.markApplied(number) }
  }

  /// Returns once the stored times have moved with the clock. A caller that compares them with the
  /// time of another clock calls this before it reads them: a read doesn't wait for the write.
  package func awaitMoves(in store: any Store) async throws {
    _ = clock.now()
    guard clock.unappliedJump != nil else { return }
    try await store.write { try self.applyJump(in: $0) }
  }

  /// Moves stored times by the difference between the clock and the stored mark. The mark is stored
  /// in the same transaction. Therefore, a write that was stored although it reported an error
  /// doesn't move the times twice.
  /// - Returns: the size of the jump in milliseconds.
  private static func applyJump(of clock: LeaseClock, _ tasks: any TaskStorage) throws -> Int64 {
    guard let mark = clock.mark() else { return 0 }
    // The first start of this database has nothing to compare with.
    guard let former = try tasks.clockMark() else {
      try tasks.put(mark)
      return 0
    }
    let jump = mark.jump(since: former)
    if jump != 0 {
      clock.distrust()
      try tasks.moveTasks(by: jump)
      try tasks.put(mark)
    } else {
      if mark.wall.subtracting(former.wall) > longestRest { clock.distrust() }
      try tasks.put(mark.keeping(former))
    }
    return jump
  }

  /// The time since the host last ran, in milliseconds, after which the clock may be wrong.
  private static let longestRest: Int64 = 86_400_000

  /// Stores a sample of both clocks.
  func keepClock(_ store: any Store) async {
    do {
      _ = try await store.write { [clock] in try Self.applyJump(of: clock, $0.tasks) }
    } catch {
      log(.warning, "The clock's state can't be stored now; the host retries. \(error)")
    }
  }

  /// Moves the times that are kept only in memory, such as those of rate limits.
  func moveRates() {
    let jump = clock.takeJump()
    guard jump != 0 else { return }
    state.withLock { state in
      state.queueLimits.move(by: jump)
      // `.max` means that there is no time.
      if state.movedAt < .max { state.movedAt = state.movedAt.adding(jump) }
    }
  }
}
