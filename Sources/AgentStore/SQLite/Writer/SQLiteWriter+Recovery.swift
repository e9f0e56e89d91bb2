internal import AgentSystem
internal import GRDBSQLite
internal import Glibc

/// Handles a full or broken disk in the writer, and detects its recovery. Called on the writer's
/// thread.
extension SQLiteWriter {
  /// Records a failure, refuses further writes and schedules a retry.
  func failed(_ error: StoreError, by source: WriterHealth.Source) {
    let clock = shared.configuration.clock
    let delay = health.failed(error, by: source, now: clock.now())
    shared.condition = health.condition
    // A retry is scheduled already. Further failures must not add further retries.
    guard let delay else { return }
    // Weak, so that a scheduled retry doesn't keep a released store alive.
    clock.schedule(delay) { [weak shared] in
      _ = shared?.writes.put(.alone { $0.retry() })
    }
  }

  /// Accepts writes again.
  func recovered() {
    guard health.condition != .ready else { return }
    health.recovered()
    shared.condition = .ready
  }

  /// Tests the disk, or examines the file, depending on the condition.
  private func retry() {
    health.retries()
    switch health.condition {
    case .ready, .closed: return
    // Without a connection, the file is examined. The connection is missing if the disk was full
    // when the file was reopened.
    case .full where connection != nil:
      attempt(by: .statement) { () throws(StoreError) in try probe() }
    case .full, .faulty, .corrupt: examine()
    }
  }

  /// Accepts writes again if `work` succeeds. Else it records the failure.
  func attempt(
    by source: WriterHealth.Source, _ work: () throws(StoreError) -> Void
  ) {
    do throws(StoreError) {
      try work()
      recovered()
    } catch {
      failed(described(error), by: source)
    }
  }

  /// Tests whether the disk has free space: writes 64 KB and removes them again.
  func probe() throws(StoreError) {
    try use { session throws(StoreError) in
      try session.run("UPDATE room SET filler = zeroblob(65536)")
      try session.run("UPDATE room SET filler = NULL")
    }
    // The write went to the write-ahead log. The file itself needs space too.
    try takeOver(SQLITE_CHECKPOINT_PASSIVE)
  }

  // MARK: A file that may be damaged

  /// Starts reading the whole file on another thread and over another connection. That takes about
  /// a minute for some gigabytes. Until then, every write is refused.
  private func examine() {
    // Before the connection, because it refers to statements of it.
    transaction = nil
    let former = connection
    connection = nil
    // An error of closing is ignored, because the connection isn't used again.
    try? former?.close()
    let path = shared.configuration.path
    // Opening it for writing would create an empty file.
    guard access(path, F_OK) == 0 else {
      return failed(
        StoreError(.fault, "\(path) is gone. Put it back, or restart the host for a new one."),
        by: .reading)
    }
    // A quick check omits the indexes, and a statement may have found damage there.
    let isQuick = !health.suspectsDamage
    health.reads()
    do throws(StoreError) {
      try WorkThread.start { [weak shared] in
        var failure: StoreError?
        do throws(StoreError) {
          try SQLiteExamination(path: path).run(isQuick: isQuick)
        } catch {
          failure = error
        }
        // On the writer's thread, because only that thread may use the writer's state.
        _ = shared?.writes.put(.alone { [failure] in $0.examined(failure) })
      }
    } catch {
      examined(error)
    }
  }

  /// Continues after the examination of the file: reopens it, or schedules a retry.
  private func examined(_ failure: StoreError?) {
    // The store may have been closed while the file was read.
    guard health.condition != .closed else { return }
    health.retries()
    attempt(by: .reading) { () throws(StoreError) in
      if let failure { throw failure }
      try reopen()
    }
  }

  /// Reopens the file and writes the write-ahead log into it again.
  ///
  /// Rationale: after a failed sync, the content of the disk is unknown. The system may return
  /// pages that are only in its memory, and another sync would report success.
  private func reopen() throws(StoreError) {
    try open(isReopening: true)
    try takeOver(SQLITE_CHECKPOINT_TRUNCATE)
    // Reading has succeeded. This tests writing.
    try probe()
  }

  // MARK: Messages

  /// Returns an error whose message names the limit of the file, if that was reached and not the
  /// capacity of the disk.
  func described(_ error: StoreError) -> StoreError {
    guard error.code == .full, let limit = shared.maxBytes, let connection,
      let left = try? connection.use({ session throws(StoreError) in try session.bytesLeft() })
    else { return error }
    // SQLite has one code for both. The one with less free space was reached.
    guard let free = DiskSpace.free(beside: shared.configuration.path), left < free else {
      return error
    }
    return StoreError(
      .full,
      "The database has reached its limit of \(limit >> 20) MB. Raise store.max_bytes, or keep less: "
        + "events.retention, tasks.keep_days.", cause: error.cause)
  }
}
