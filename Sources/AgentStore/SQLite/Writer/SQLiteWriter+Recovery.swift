internal import AgentSystem
internal import GRDBSQLite
internal import Glibc

/// Handles a full or broken disk in the writer, and finds out when the disk is well
/// again. On the writer's thread.
extension SQLiteWriter {
  func failed(_ error: StoreError, by source: WriterHealth.Source) {
    let clock = shared.configuration.clock
    let delay = health.failed(error, by: source, now: clock.now())
    shared.condition = health.condition
    // A try is due already: more failures must not add more of them.
    guard let delay else { return }
    // Weak, so that a store that nobody has any more isn't kept by a try in a minute.
    clock.schedule(delay) { [weak shared] in
      _ = shared?.writes.put(.alone { $0.retry() })
    }
  }

  func recovered() {
    guard health.condition != .ready else { return }
    health.recovered()
    shared.condition = .ready
  }

  private func retry() {
    health.retries()
    switch health.condition {
    case .ready, .closed: return
    // Without a connection, as where the disk was full while the file was opened anew, the file is
    // examined.
    case .full where connection != nil:
      attempt(by: .statement) { () throws(StoreError) in try probe() }
    case .full, .faulty, .corrupt: examine()
    }
  }

  private func attempt(
    by source: WriterHealth.Source, _ work: () throws(StoreError) -> Void
  ) {
    do throws(StoreError) {
      try work()
      recovered()
    } catch {
      failed(described(error), by: source)
    }
  }

  /// Finds out whether there is space: writes 64 KB and takes them away again.
  private func probe() throws(StoreError) {
    try use { session throws(StoreError) in
      try session.run("UPDATE room SET filler = zeroblob(65536)")
      try session.run("UPDATE room SET filler = NULL")
    }
    // The write went to the log of recent changes; the file itself needs space as well.
    try takeOver(SQLITE_CHECKPOINT_PASSIVE)
  }

  // MARK: A file that may be broken

  /// Starts a reading of the whole file, on a thread of its own and over a connection of its own.
  /// That takes a minute for some gigabytes, and meanwhile every write is refused at once.
  private func examine() {
    // Before the connection: it refers to statements on it.
    transaction = nil
    let former = connection
    connection = nil
    // A failure changes nothing: what the connection had is given up.
    try? former?.close()
    let path = shared.configuration.path
    // Opening it for writing would make an empty one in its place.
    guard access(path, F_OK) == 0 else {
      return failed(
        StoreError(.fault, "\(path) is gone. Put it back, or restart the host for a new one."),
        by: .reading)
    }
    // A quick reading leaves out the indexes, and damage that a statement has met may lie there.
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
        // Back to the writer's thread, which alone may use its state.
        _ = shared?.writes.put(.alone { [failure] in $0.examined(failure) })
      }
    } catch {
      examined(error)
    }
  }

  private func examined(_ failure: StoreError?) {
    // The store may have been closed while the file was read.
    guard health.condition != .closed else { return }
    health.retries()
    attempt(by: .reading) { () throws(StoreError) in
      if let failure { throw failure }
      try reopen()
    }
  }

  /// Opens the file anew and writes what the log of recent changes holds to the file once more.
  ///
  /// Rationale: after a failed sync nobody knows what the disk has. The system may show
  /// the pages in its memory alone, and another sync would say that all is well.
  private func reopen() throws(StoreError) {
    try open()
    try takeOver(SQLITE_CHECKPOINT_TRUNCATE)
    // Reading has worked; this shows that writing does.
    try probe()
  }

  // MARK: What is said

  /// Names the file's own limit in the message where that was reached, and not the disk's end.
  func described(_ error: StoreError) -> StoreError {
    guard error.code == .full, let limit = shared.maxBytes, let connection,
      let left = try? connection.use({ session throws(StoreError) in try session.bytesLeft() })
    else { return error }
    // SQLite has one code for both. The one with less space left was reached.
    guard let free = DiskSpace.free(beside: shared.configuration.path), left < free else {
      return error
    }
    return StoreError(
      .full,
      "The database has reached its limit of \(limit >> 20) MB. Raise store.max_bytes, or keep less: "
        + "events.retention, tasks.keep_days.", cause: error.cause)
  }
}
