/// Runs the writes of a group in one transaction, on the writer's thread.
struct SQLiteGroup {
  let session: SQLiteSession
  let transaction: SQLiteTransaction

  /// How a group ended.
  struct Outcome {
    /// To be called now, in this order: the writes are durable.
    var done: [@Sendable () -> Void] = []
    /// Writes of which nothing was stored, and why.
    var failed: [(WriteRequest, any Error)] = []
    /// What the whole group failed with.
    var failure: StoreError?
    /// How many writes are durable.
    var count = 0
    /// Whether they have changed anything: a transaction without a change says nothing of the disk.
    var hasWritten = false
  }

  /// Commits all writes but those that fail for themselves, or nothing.
  func run(_ requests: [WriteRequest]) -> Outcome {
    // It is the fault of the group before, whose writes have been answered.
    session.fault = nil
    var outcome = Outcome()
    do throws(StoreError) {
      // At once and not with the first change: another program that writes is found out before any
      // body runs.
      try session.run("BEGIN IMMEDIATE")
      var done: [@Sendable () -> Void] = []
      done.reserveCapacity(requests.count)
      var count = 0
      for request in requests {
        // A transaction without a change doesn't touch the disk, so it must not end a full disk.
        let before = session.totalChanges
        do {
          let answer = try run(request)
          // The actions of a write come before those of the next one, so that the events of both
          // are delivered in the order of their positions.
          done += transaction.takeActions()
          done.append(answer)
          count += 1
          if session.totalChanges != before { outcome.hasWritten = true }
        } catch {
          // It failed for itself, and its savepoint is undone; the others go on.
          outcome.failed.append((request, error))
          if let failure = groupFailure { throw failure }
        }
        // Also after a body that returned: it may have swallowed an error of the disk, and what it
        // wrote isn't all there.
        if let failure = groupFailure { throw failure }
      }
      let before = session.totalChanges
      try transaction.flush()
      if session.totalChanges != before { outcome.hasWritten = true }
      try session.run("COMMIT")
      transaction.committed()
      outcome.count = count
      outcome.done = done
    } catch {
      undo()
      // Nothing is durable, so all are failed, and nobody's `done` is called.
      outcome = Outcome(failed: requests.map { ($0, error) }, failure: error)
    }
    return outcome
  }

  /// Why the group can't go on: the file is to blame, or the transaction was ended. SQLite ends it
  /// by itself after some errors.
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

  private func runAlone(_ request: WriteRequest) throws -> @Sendable () -> Void {
    // No savepoint, for speed: that nothing has changed is the caller's promise
    // (`WriteKind.single`), and the count of changes shows whether it was kept.
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

  private func runInSavepoint(_ request: WriteRequest) throws -> @Sendable () -> Void {
    let mark = transaction.mark
    try session.run("SAVEPOINT request")
    do {
      let done = try request.run(transaction)
      try session.run("RELEASE request")
      return done
    } catch {
      transaction.rolledBack(to: mark)
      // With a fault the whole group is undone anyway.
      if session.isInTransaction, session.fault == nil {
        try session.run("ROLLBACK TO request")
        try session.run("RELEASE request")
      }
      throw error
    }
  }

  private func undo() {
    transaction.rolledBack()
    // SQLite may have rolled back itself. On a broken disk this fails, and the connection is
    // closed.
    if session.isInTransaction { try? session.run("ROLLBACK") }
  }
}
