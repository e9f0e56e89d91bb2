internal import AgentStore
internal import AgentSystem
internal import Synchronization

/// What a clock that was set means for tasks: nothing. Their leases, time-outs and waits end as much
/// later as they would have without it.
extension TaskEngine {
  /// Moves what is stored as soon as the clock has jumped: whoever has heard the new time stores what
  /// follows from it behind that.
  func followClock(_ store: any Store) {
    clock.whenJumped { [weak self, log] jump in
      log(
        .warning,
        "The clock was set by \(jump) ms, or the machine was suspended; leases and time-outs of tasks "
          + "are moved by the same time.")
      self?.move(store)
    }
  }

  /// Moves what is stored by as much as the clock was set while no host was there.
  func recallClock(_ store: any Store) async throws {
    let jump = try await store.write { [clock] transaction in
      try Self.follow(clock, transaction.tasks)
    }
    if jump != 0 {
      log(
        .warning,
        "The clock was set by \(jump) ms since the host last ran; leases and time-outs of tasks "
          + "are moved by the same time.")
    }
  }

  /// While the disk takes no writes nothing else is stored either: it is tried again until it is.
  private func move(_ store: any Store, after wait: Int64 = 250) {
    store.submit(.savepoint) {
      try self.followClock(in: $0)
    } completion: { [weak self] (outcome: Result<Void, any Error>) in
      guard let self else { return }
      switch outcome {
      case .success:
        turn()
        bell.ring()
      case .failure(let error):
        if (error as? StoreError)?.code == .closed { return }
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

  /// Before anything else of a transaction: what goes by the time as it is must not come before what
  /// the clock has moved. Most often there is nothing to do.
  func followClock(in transaction: any StoreTransaction) throws {
    guard let number = clock.unfollowed else { return }
    _ = try Self.follow(clock, transaction.tasks)
    transaction.afterCommit { [clock] in clock.followed(number) }
  }

  /// How far the clock was set is known by what is stored: what was stored although that seemed to
  /// fail isn't moved twice.
  /// - Returns: by how many milliseconds.
  private static func follow(_ clock: LeaseClock, _ tasks: any TaskStorage) throws -> Int64 {
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

  /// A clock that is further than this, in milliseconds, beyond where it was when the host was there
  /// last may be wrong.
  private static let longestRest: Int64 = 86_400_000

  /// Remembers what the clock shows.
  func keepClock(_ store: any Store) async {
    do {
      _ = try await store.write { [clock] in try Self.follow(clock, $0.tasks) }
    } catch {
      log(.warning, "The clock's state can't be stored now; the host retries. \(error)")
    }
  }

  /// What has a rate began as long ago as it did before.
  func moveRates() {
    let jump = clock.takeJump()
    guard jump != 0 else { return }
    state.withLock { state in
      state.board.move(by: jump)
      if state.movedAt < .max { state.movedAt = state.movedAt.adding(jump) }
    }
  }
}
