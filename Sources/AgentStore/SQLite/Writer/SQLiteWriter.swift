internal import GRDBSQLite
internal import Glibc

/// The one connection that writes and takes recent changes over into the file. It is used on the
/// writer's thread only.
///
/// Rationale: SQLite before 3.51.3 can lose a transaction when one connection writes while another
/// makes a checkpoint (the WAL-reset bug). Here one connection does both.
final class SQLiteWriter {
  let shared: SQLiteShared
  var connection: SQLiteConnection?
  var transaction: SQLiteTransaction?
  var health = WriterHealth()
  private let lock: StoreLock
  /// With this many pages in the log of recent changes they are taken over into the file.
  private var nextCheckpoint: Int
  // A pointer, because SQLite's hook is a C function and gets nothing else.
  private let logPages = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

  init(_ shared: SQLiteShared) throws(StoreError) {
    self.shared = shared
    nextCheckpoint = shared.configuration.checkpointPages
    // Before the file is touched: another host may have it open.
    lock = try StoreLock(beside: shared.configuration.path)
    logPages.initialize(to: 0)
    try open()
  }

  deinit { logPages.deallocate() }

  /// Takes jobs and runs them until the store is closed. Blocks.
  func run() {
    // No delay to gather more: while a commit takes long, the queue fills by itself
    // (docs/decisions/0011).
    while let jobs = shared.writes.take(shared.configuration.largestGroup) {
      var group: [WriteRequest] = []
      for job in jobs {
        switch job {
        case .write(let request): group.append(request)
        case .alone(let body):
          // In the order of the queue: the writes before it come first, and in a transaction of
          // their own.
          commit(group)
          group = []
          body(self)
        }
      }
      commit(group)
    }
    close()
  }

  // MARK: Groups

  private func commit(_ requests: [WriteRequest]) {
    guard !requests.isEmpty else { return }
    var admitted: [WriteRequest] = []
    admitted.reserveCapacity(requests.count)
    for request in requests {
      // While the file is examined there is no connection, and not even a write that makes space
      // can be tried.
      let kind = connection == nil ? .single : request.kind
      if let error = health.refusal(of: kind) {
        shared.count { $0.failures += 1 }
        request.fail(error)
      } else {
        admitted.append(request)
      }
    }
    guard !admitted.isEmpty, let connection, let transaction else {
      for request in admitted { request.fail(StoreError.closed) }
      return
    }
    let begin = shared.configuration.clock.monotonic()
    let outcome: SQLiteGroup.Outcome
    do {
      outcome = try connection.use { session throws(StoreError) in
        SQLiteGroup(session: session, transaction: transaction).run(admitted)
      }
    } catch {
      outcome = SQLiteGroup.Outcome(failed: admitted.map { ($0, error) }, failure: error)
    }
    settle(outcome, shared.configuration.clock.monotonic() &- begin)
  }

  private func settle(_ outcome: SQLiteGroup.Outcome, _ duration: UInt64) {
    shared.count { $0.add(outcome, duration, logPages: Int(logPages.pointee)) }
    let failure = outcome.failure.map(described)
    if let failure {
      if failure.concernsFile { failed(failure, by: .statement) }
    } else if outcome.hasWritten {
      // A transaction without a change hasn't touched the disk, and doesn't show that there is
      // space.
      recovered()
    }
    // After `recovered`: a caller that is answered finds the condition ready.
    for done in outcome.done { done() }
    for (request, error) in outcome.failed { request.fail(failure ?? error) }
    // After the answers: nobody has to wait for it.
    checkpointIfDue()
  }

  // MARK: The connection

  func open() throws(StoreError) {
    let path = shared.configuration.path
    let connection = try SQLiteConnection(path: path, isReader: false)
    let maximum = shared.maxBytes
    let state = shared.configuration.state
    let logPages = logPages
    transaction = try connection.use { session throws(StoreError) in
      // Before the first pragma: a file that isn't ours stays as it is.
      let version = try SQLiteMigrator(migrations: shared.configuration.migrations)
        .version(session, path: path)
      try session.prepare(maxBytes: maximum)
      try migrate(session, from: version)
      // A new file: without this a power cut could take the file itself.
      if version == 0 { try FolderSync.syncNames(of: path) }
      // Reports the length of the log after each commit, so that nobody has to ask.
      sqlite3_wal_hook(
        session.handle,
        { pages, _, _, count in
          pages?.assumingMemoryBound(to: Int32.self).pointee = count
          return SQLITE_OK
        }, logPages)
      return SQLiteTransaction(session, limits: state)
    }
    self.connection = connection
  }

  func use<Value>(_ body: (SQLiteSession) throws(StoreError) -> Value) throws(StoreError) -> Value {
    guard let connection else {
      throw health.refusal(of: .single) ?? .closed
    }
    return try connection.use(body)
  }

  /// Takes recent changes over into the file when there are enough of them, as far as no reader
  /// needs them where they are.
  func checkpointIfDue() {
    guard health.condition == .ready, Int(logPages.pointee) >= nextCheckpoint else { return }
    do throws(StoreError) {
      // This mode waits for nobody. Others wait for readers, and writes would wait with them.
      try takeOver(SQLITE_CHECKPOINT_PASSIVE)
    } catch {
      if error.concernsFile { failed(error, by: .statement) }
    }
  }

  func takeOver(_ mode: Int32) throws(StoreError) {
    var (pages, done): (Int32, Int32) = (0, 0)
    try use { session throws(StoreError) in
      let code = sqlite3_wal_checkpoint_v2(session.handle, nil, mode, &pages, &done)
      guard code == SQLITE_OK else { throw session.error(code) }
    }
    // A reader may still need some pages in the log. They count as its start, or every transaction
    // from here on would try again.
    let kept = pages > done ? Int(pages) : 0
    nextCheckpoint = kept + shared.configuration.checkpointPages
    let moment = shared.configuration.clock.now()
    shared.count {
      $0.checkpoints += 1
      $0.lastCheckpoint = moment
    }
  }

  func close() {
    health.closed()
    shared.condition = .closed
    // Before the connection: it refers to statements on it.
    transaction = nil
    try? connection?.close()
    connection = nil
    // Last: another host may open the file only when this one has closed it.
    lock.release()
  }
}
