package import AgentStore
internal import AgentSystem
internal import Synchronization

/// Keeps leases, time-outs and waits as long as they are when the clock is set: stored moments move
/// by the same time.
extension TaskEngine {
  /// Moves stored moments as soon as the clock jumps. The write is submitted before any caller gets
  /// the new time, so that every write that goes by the new time comes after it.
  func observeClock(_ store: any Store) {
    clock.whenJumped { [weak self, log] jump in
      log(
        .warning,
        "The clock was set by \(jump) ms, or the machine was suspended; leases and time-outs of tasks "
          + "are moved by the same time.")
      self?.move(store)
    }
  }

  /// Moves stored moments by as much as the clock was set while no host ran.
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

  /// Retries until it is stored: 250 ms after the first failure, then twice as long, up to 10 s.
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
        // Once, and not for each retry.
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

  /// Every transaction calls this first: nothing may be stored by the new time before the stored
  /// moments have moved. Mostly there is nothing to do.
  package func applyJump(in transaction: any StoreTransaction) throws {
    guard let number = clock.unappliedJump else { return }
    _ = try Self.applyJump(of: clock, transaction.tasks)
    // Not before: a transaction that fails leaves the stored moments where they were.
    transaction.afterCommit { [clock] in clock.markApplied(number) }
  }

  /// Moves stored moments by the difference between the clock and the stored mark. The mark is in
  /// the same transaction, so that a write that seemed to fail and was stored doesn't move them
  /// twice.
  /// - Returns: the milliseconds.
  private static func applyJump(of clock: LeaseClock, _ tasks: any TaskStorage) throws -> Int64 {
    guard let mark = clock.mark() else { return 0 }
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

  /// In milliseconds. A clock that shows more than this since the host last ran may be wrong.
  private static let longestRest: Int64 = 86_400_000

  /// Stores a sample of both clocks.
  func keepClock(_ store: any Store) async {
    do {
      _ = try await store.write { [clock] in try Self.applyJump(of: clock, $0.tasks) }
    } catch {
      log(.warning, "The clock's state can't be stored now; the host retries. \(error)")
    }
  }

  /// Moves the moments that only memory has, such as those of rates.
  func moveRates() {
    let jump = clock.takeJump()
    guard jump != 0 else { return }
    state.withLock { state in
      state.queueLimits.move(by: jump)
      // `.max` stands for no moment.
      if state.movedAt < .max { state.movedAt = state.movedAt.adding(jump) }
    }
  }
}
