internal import AgentStore
internal import Synchronization
internal import AgentSystem

/// Writes of which nobody knows whether they were stored: the disk has failed, and what it has said
/// last may have reached it. What is stored counts, and everything else follows it.
extension TaskEngine {
  /// Writes and waits until it is durable. What follows from the changes follows in the order in
  /// which they were stored.
  /// - Parameters:
  ///   - place: what `body` takes for the task that it changes; kept when that is stored.
  ///   - body: what was changed, and what is returned.
  func commit<Value: Sendable>(
    _ store: any Store, _ place: QueueSlot? = nil,
    _ body: @escaping @Sendable (any StoreTransaction) throws -> ([TaskChange], Value)
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      store.submit(.savepoint) { [weak self] transaction in
        try self?.followClock(in: transaction)
        let (changes, value) = try body(transaction)
        try self?.record(changes, in: transaction)
        return (changes, value)
      } completion: { [weak self] (outcome: Result<([TaskChange], Value), any Error>) in
        // Before anything of later writes follows.
        switch outcome {
        case .success((let changes, _)):
          place?.end(isKept: !changes.isEmpty)
          if !changes.isEmpty { self?.settle(changes) }
        case .failure(let error):
          place?.end(isKept: Self.isDoubtful(error))
          self?.failed(error)
        }
        continuation.resume(with: outcome.map(\.1))
      }
    }
  }

  /// It may have been stored all the same.
  static func isDoubtful(_ error: any Error) -> Bool { (error as? StoreError)?.code == .fault }

  /// A write has failed.
  func failed(_ error: any Error) {
    guard Self.isDoubtful(error) else { return }
    state.withLock { $0.isUnsure = true }
    bell.ring(at: now().adding(1_000), now: now())
  }

  /// What is stored, as far as the engine remembers something of it.
  private struct Truth: Sendable {
    var changes: [TaskChange] = []
    var lanes: [QueuedLane] = []
    var held: [TaskRow] = []
    var ended: [TaskRow] = []
    var dead: Int64 = 0
    var open: Int64 = 0
  }

  /// Goes by what is stored once it can be read, where something isn't known.
  func makeSure(_ store: any Store) async throws {
    let isTurn = state.withLock { state in
      guard state.isUnsure, !state.isTurning else { return false }
      // No turn is on its way while this is looked at.
      (state.isTurning, state.isUnsure) = (true, false)
      return true
    }
    guard isTurn else { return }
    let awaited = state.withLock { Array($0.waiters.keys) }
    try await follow(store, awaited)
    log(.warning, "The disk has failed; tasks continue from what is stored.")
  }

  /// What is changed later is settled later: nothing comes between what is stored and what follows.
  private func follow(_ store: any Store, _ awaited: [Int64]) async throws {
    try await withCheckedThrowingContinuation { continuation in
      store.submit(.savepoint) {
        let truth = try self.truth($0, awaited)
        try self.record(truth.changes, in: $0)
        return truth
      } completion: { (outcome: Result<Truth, any Error>) in
        switch outcome {
        case .success(let truth):
          self.follow(truth)
          self.settle(truth.changes)
        case .failure: self.state.withLock { ($0.isTurning, $0.isUnsure) = (false, true) }
        }
        continuation.resume(with: outcome.map { _ in })
      }
    }
  }

  /// On the writer's thread. What the host has a lease for and doesn't do is queued again.
  private func truth(_ transaction: any StoreTransaction, _ awaited: [Int64]) throws -> Truth {
    var truth = Truth()
    let known = state.withLock { Set($0.attempts.keys).union($0.ended.map(\.task.key)) }
    let (moment, ageing) = (now(), plan.ageing)
    for row in try transaction.tasks.held(from: 0, limit: .max) {
      guard row.owner == owner, !known.contains(row.key) else {
        truth.held.append(row)
        continue
      }
      var life = TaskStateMachine(row, now: moment)
      try life.rescue(
        ageing: ageing, mostLost: .max, note: "The disk failed before the attempt began.")
      if try transaction.tasks.update(life.row, from: row) {
        truth.changes.append(TaskChange(row, life.row))
      }
    }
    truth.lanes = try transaction.tasks.lanes()
    for count in try transaction.tasks.taskCounts() {
      if count.state == .dead { truth.dead += count.count }
      if !count.state.isEnded { truth.open += count.count }
    }
    truth.ended = try awaited.compactMap { try transaction.tasks.task($0) }.filter {
      $0.state.isEnded
    }
    return truth
  }

  private func follow(_ truth: Truth) {
    let held = Dictionary(uniqueKeysWithValues: truth.held.map { ($0.key, $0) })
    let (works, waiters) = state.withLock { state in
      let routing = state.routing
      // What is queued again counts until that is settled.
      let lanes = truth.held.map(\.lane) + truth.changes.map { $0.formerLane ?? $0.task.lane }
      state.board.restart(truth.lanes, held: lanes) { routing.isOurs($0) }
      // Who has lost the lease, or was cancelled, is told now.
      let lost = state.attempts.keys.filter { held[$0].map { $0.cancelling != nil } ?? true }
      for key in lost { state.attempts[key]?.isCancelled = true }
      state.isTurning = false
      (state.dead, state.open) = (truth.dead, truth.open)
      let waiters = truth.ended.flatMap { row in
        (state.waiters.removeValue(forKey: row.id) ?? []).map { ($0, row) }
      }
      return (lost.compactMap { state.attempts[$0]?.work }, waiters)
    }
    for work in works { work.cancel() }
    for (waiter, row) in waiters { waiter.continuation.resume(returning: row) }
  }
}
