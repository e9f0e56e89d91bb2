internal import GRDBSQLite
internal import Glibc

/// What the writer does when the disk is full or broken, and how it finds out that it is well again.
extension SQLiteWriter {
  func failed(_ error: StoreError, by source: WriterHealth.Source) {
    let clock = shared.configuration.clock
    let delay = health.failed(error, by: source, now: clock.now())
    shared.condition = health.condition
    guard let delay else { return }
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

  /// Writes something and takes it away again: is there room?
  private func probe() throws(StoreError) {
    try use { session throws(StoreError) in
      try session.run("UPDATE room SET filler = zeroblob(65536)")
      try session.run("UPDATE room SET filler = NULL")
    }
    try takeOver(SQLITE_CHECKPOINT_PASSIVE)
  }

  // MARK: A file that may be broken

  /// Lets the file be read as a whole, by a thread of its own and over a connection of its own:
  /// that takes a minute for some gigabytes, and meanwhile every write is to be refused at once.
  private func examine() {
    transaction = nil
    let former = connection
    connection = nil
    // Whatever it says: what it had is given up.
    try? former?.close()
    let path = shared.configuration.path
    // Otherwise an empty one would be made in its place.
    guard access(path, F_OK) == 0 else {
      return failed(
        StoreError(.fault, "\(path) is gone. Put it back, or restart the host for a new one."),
        by: .reading)
    }
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
        _ = shared?.writes.put(.alone { [failure] in $0.examined(failure) })
      }
    } catch {
      examined(error)
    }
  }

  private func examined(_ failure: StoreError?) {
    guard health.condition != .closed else { return }
    health.retries()
    attempt(by: .reading) { () throws(StoreError) in
      if let failure { throw failure }
      try reopen()
    }
  }

  /// After a failed sync nobody knows what the disk has: what the system shows may be its memory
  /// alone, and another sync would say that all is well. So what the log holds is written to the
  /// file once more.
  private func reopen() throws(StoreError) {
    try open()
    try takeOver(SQLITE_CHECKPOINT_TRUNCATE)
    try probe()
  }

  // MARK: What is said

  /// Names the limit of the file where that is what was reached, and not the disk's end.
  func described(_ error: StoreError) -> StoreError {
    guard error.code == .full, let limit = shared.maximumBytes, let connection,
      let left = try? connection.use({ session throws(StoreError) in try session.roomLeft() })
    else { return error }
    var disk = statvfs()
    guard statvfs(shared.configuration.path, &disk) == 0 else { return error }
    let free = Int64(clamping: disk.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: disk.f_frsize))
    guard !free.overflow, left < free.partialValue else { return error }
    return StoreError(
      .full,
      "The database has reached its limit of \(limit >> 20) MB. Raise store.max_bytes, or keep less: "
        + "events.retention, tasks.keep_days.", cause: error.cause)
  }
}
