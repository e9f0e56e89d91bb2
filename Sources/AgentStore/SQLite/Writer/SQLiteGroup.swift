/// Runs the writes of a group in one transaction, on the writer's thread.
struct SQLiteGroup {
  let session: SQLiteSession
  let transaction: SQLiteTransaction

  /// The result of a group.
  struct Outcome {
    /// The completions of the durable writes, to be called in this order.
    var done: [@Sendable () -> Void] = []
    /// The writes that weren't stored, with their errors.
    var failed: [(WriteRequest, any Error)] = []
    /// The error of the whole group.
    var failure: StoreError?
    /// The number of durable writes.
    var count = 0
  }

  /// Commits all writes except those that fail by themselves, or nothing.
  func run(_ requests: [WriteRequest]) -> Outcome {
    // A fault of the former group, whose writes have been completed.
    session.fault = nil
    var outcome = Outcome()
    do throws(StoreError) {
      // Immediately and not with the first change, so that another writing program is detected
      // before any body runs.
      try session.run("BEGIN IMMEDIATE")
      var done: [@Sendable () -> Void] = []
      done.reserveCapacity(requests.count)
      var count = 0
      for request in requests {
        do {
          let answer = try run(request)
          // The actions of a write come before those of the next one, so that the events of both
          // are delivered in the order of their positions.
          done += transaction.takeActions()
          done.append(answer)
          count += 1
        } catch {
          // The write failed by itself, and its savepoint is rolled back. The other writes
          // continue.
          outcome.failed.append((request, error))
          if let failure = groupFailure { throw failure }
        }
        // Also after a body without an error, because it may have ignored a disk error. Then its
        // changes are incomplete.
        if let failure = groupFailure { throw failure }
      }
      try transaction.flush()
      try session.run("COMMIT")
      transaction.committed()
      outcome.count = count
      outcome.done = done
    } catch {
      undo()
      // Nothing is durable, so all writes fail and no completion in `done` is called.
      outcome = Outcome(failed: requests.map { ($0, error) }, failure: error)
    }
    return outcome
  }

  /// The reason why the group can't continue: the file failed, or the transaction was ended. SQLite
  /// ends it by itself after some errors.
  private var groupFailure: StoreError? {
    if let fault = session.fault { return fault }
    if session.isInTransaction { return nil }
    return StoreError(.group, "The database ended a transaction in which this write took part.")
  }

  private func run(_ request: WriteRequest) throws -> @Sendable () -> Void {
    switch request.kind {
    case .single: try runAlone(request)
    case .savepoint, .freeing: try runInSavepoint(request)
    }
  }

  /// Runs a write without a savepoint.
  private func runAlone(_ request: WriteRequest) throws -> @Sendable () -> Void {
    // No savepoint, for speed. The caller guarantees that a failed body has changed nothing
    // (`WriteKind.single`). The count of changes verifies that.
    let before = session.totalChanges
    let mark = transaction.mark
    do {
      return try request.run(transaction)
    } catch {
      transaction.rolledBack(to: mark)
      if session.totalChanges != before, session.fault == nil {
        session.fault = StoreError(
          .group, "A write without a savepoint failed after it had changed something.",
          cause: "\(error)")
      }
      throw error
    }
  }

  /// Runs a write in a savepoint, which is rolled back if the write fails.
  private func runInSavepoint(_ request: WriteRequest) throws -> @Sendable () -> Void {
    let mark = transaction.mark
    try session.run("SAVEPOINT request")
    do {
      let done = try request.run(transaction)
      try session.run("RELEASE request")
      return done
    } catch {
      transaction.rolledBack(to: mark)
      // After a fault, the whole group is rolled back anyway.
      if session.isInTransaction, session.fault == nil {
        try session.run("ROLLBACK TO request")
        try session.run("RELEASE request")
      }
      throw error
    }
  }

  /// Rolls back the transaction of the group.
  private func undo() {
    transaction.rolledBack()
    // SQLite may have rolled back already. On a broken disk this fails, and the connection is
    // closed.
    if session.isInTransaction { try? session.run("ROLLBACK") }
  }
}
