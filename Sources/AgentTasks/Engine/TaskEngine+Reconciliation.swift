internal import AgentStore
internal import Synchronization
internal import AgentSystem

/// Handles writes with an unknown result: the disk reported an error, but the last write may have
/// been stored. Then the state in memory is rebuilt from the database.
extension TaskEngine {
  /// Writes and waits until the write is durable. Changes are applied in memory in the order of the
  /// commits.
  /// - Parameters:
  ///   - place: the capacity that `body` reserves under the task's limits. It is kept if the write
  ///     is stored.
  ///   - body: makes the changes, on the writer's thread. The store may run it twice.
  func commit<Value: Sendable>(
    _ store: any Store, place: QueueSlot? = nil,
    body: @escaping @Sendable (any StoreTransaction) throws -> ([TaskChange], Value)
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      store.submit(.savepoint) { [weak self] transaction in
        try self?.applyJump(in: transaction)
        let (changes, value) = try body(transaction)
        try self?.record(changes, in: transaction)
        return (changes, value)
      } completion: { [weak self] (outcome: Result<([TaskChange], Value), any Error>) in
        // Here and not after the `await`, because later writes end on this thread too. That keeps
        // the order.
        switch outcome {
        case .success((let changes, _)):
          place?.end(isKept: !changes.isEmpty)
          if !changes.isEmpty { self?.settle(changes) }
        case .failure(let error):
          // After an unknown result, the capacity stays reserved until the state is reconciled.
          place?.end(isKept: Self.isDoubtful(error))
          self?.failed(error)
        }
        continuation.resume(with: outcome.map(\.1))
      }
    }
  }

  /// Returns whether a failed write may have been stored nevertheless.
  static func isDoubtful(_ error: any Error) -> Bool { (error as? StoreError)?.isDoubtful == true }

  /// Handles a failed write. After a write with an unknown result, the engine reconciles.
  package func failed(_ error: any Error) {
    guard Self.isDoubtful(error) else { return }
    state.withLock { $0.needsReconciliation = true }
    // `runTimers` wakes up after a second and reconciles. An immediate retry would probably fail
    // too.
    wakeTimer.ring(at: now().adding(1_000), now: now())
  }

  /// The stored state of everything that the engine keeps in memory.
  private struct StoredState: Sendable {
    var changes: [TaskChange] = []
    var queues: [QueueHead] = []
    var held: [StoredLease] = []
    var ended: [TaskRow] = []
    var dead: Int64 = 0
    var open: Int64 = 0
  }

  /// Reconciles memory with the database after a write with an unknown result. Does nothing without
  /// such a write, or while a write batch is being stored. The end of that batch calls this again.
  func reconcile(_ store: any Store) async throws {
    let isTurn = state.withLock { state in
      guard state.needsReconciliation, !state.isFlushing else { return false }
      // No write batch may begin while the stored state is read.
      (state.isFlushing, state.needsReconciliation) = (true, false)
      return true
    }
    guard isTurn else { return }
    let awaited = state.withLock { Array($0.waiters.keys) }
    try await load(store, awaited)
    log(.warning, "The disk has failed; tasks continue from what is stored.")
  }

  /// Loads the stored state in a write and not in a read. Later changes are applied after it, so
  /// none is counted twice.
  private func load(_ store: any Store, _ awaited: [Int64]) async throws {
    try await withCheckedThrowingContinuation { continuation in
      store.submit(.savepoint) {
        let stored = try self.stored($0, awaited)
        try self.record(stored.changes, in: $0)
        return stored
      } completion: { (outcome: Result<StoredState, any Error>) in
        switch outcome {
        case .success(let stored):
          self.apply(stored)
          self.report(stored.held)
          self.settle(stored.changes)
        case .failure:
          // Only the next reconciliation may clear the flag, because memory is still out of date.
          self.state.withLock { ($0.isFlushing, $0.needsReconciliation) = (false, true) }
        }
        continuation.resume(with: outcome.map { _ in })
      }
    }
  }

  /// Reads the stored state, and requeues tasks that the host has a lease for but doesn't run.
  /// Called on the writer's thread.
  private func stored(_ transaction: any StoreTransaction, _ awaited: [Int64]) throws -> StoredState
  {
    var stored = StoredState()
    // Attempts that have ended but aren't stored yet are known too. Their outcomes will be written.
    let known = state.withLock { Set($0.attempts.keys).union($0.ended.map(\.key)) }
    let (transition, ageing) = (TaskTransition(in: transaction, at: now()), plan.ageing)
    for lease in try transaction.tasks.leases(from: 0, limit: .max) {
      guard lease.owner == owner, !known.contains(lease.key),
        let row = try transaction.tasks.task(lease.task)
      else {
        stored.held.append(lease)
        continue
      }
      let change = try transition.apply(to: row) { machine in
        try machine.requeue(
          ageing: ageing, maxLost: .max, note: "The disk failed before the attempt began.")
      }
      if let change { stored.changes.append(change) }
    }
    stored.queues = try transaction.tasks.queues()
    for count in try transaction.tasks.taskCounts() {
      if count.state == .dead { stored.dead += count.count }
      if !count.state.isEnded { stored.open += count.count }
    }
    stored.ended = try awaited.compactMap { try transaction.tasks.task($0) }.filter {
      $0.state.isEnded
    }
    return stored
  }

  /// Replaces the state in memory by the stored one. Cancels attempts without a lease and resumes
  /// calls that wait for ended tasks.
  private func apply(_ stored: StoredState) {
    let held = Dictionary(uniqueKeysWithValues: stored.held.map { ($0.key, $0) })
    let (works, waiters) = state.withLock { state in
      let routing = state.routing
      // A requeued task counts as running until `settle` releases its slot.
      let queues =
        stored.held.map(\.queueKey) + stored.changes.map { $0.formerKey ?? $0.task.queueKey }
      state.queueLimits.restart(stored.queues, held: queues) { routing.isOurs($0) }
      // Attempts that lost their lease or were cancelled stop now.
      let lost = state.attempts.keys.filter { held[$0].map(\.isCancelling) ?? true }
      for key in lost { state.attempts[key]?.isCancelled = true }
      state.isFlushing = false
      (state.dead, state.open) = (stored.dead, stored.open)
      let waiters = stored.ended.flatMap { row in
        (state.waiters.removeValue(forKey: row.id) ?? []).map { ($0, row) }
      }
      return (lost.compactMap { state.attempts[$0]?.work }, waiters)
    }
    // Outside the lock, because cancellation handlers may take it.
    for work in works { work.cancel() }
    for (waiter, row) in waiters { waiter.continuation.resume(returning: row) }
  }
}
