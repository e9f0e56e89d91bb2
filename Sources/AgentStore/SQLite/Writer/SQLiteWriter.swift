internal import GRDBSQLite
internal import Glibc

/// The only connection that writes and makes checkpoints. It is used only on the writer's thread.
///
/// Rationale: SQLite before 3.51.3 can lose a transaction if one connection writes while another
/// makes a checkpoint (the WAL-reset bug). Here, the same connection does both.
final class SQLiteWriter {
  let shared: SQLiteShared
  var connection: SQLiteConnection?
  var transaction: SQLiteTransaction?
  var health = WriterHealth()
  private let lock: StoreLock
  /// The number of pages in the write-ahead log at which the next checkpoint begins.
  private var nextCheckpoint: Int
  // A pointer, because SQLite's hook is a C function that gets no other context.
  private let logPages = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

  init(_ shared: SQLiteShared) throws(StoreError) {
    self.shared = shared
    nextCheckpoint = shared.configuration.checkpointPages
    // Before the file is opened, because another host may have it open.
    lock = try StoreLock(beside: shared.configuration.path)
    logPages.initialize(to: 0)
    try open(isReopening: false)
  }

  deinit { logPages.deallocate() }

  /// Takes jobs and runs them until the store is closed. Blocks the thread.
  func run() {
    // There is no delay to collect more writes, because the queue fills during a long commit
    // (docs/decisions/0011).
    while let jobs = shared.writes.take(shared.configuration.largestGroup) {
      var group: [WriteRequest] = []
      for job in jobs {
        switch job {
        case .write(let request): group.append(request)
        case .alone(let body):
          // In the order of the queue. The writes before it are committed first, in their own
          // transaction.
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

  /// Commits writes as a group. Writes that the condition doesn't allow fail immediately.
  private func commit(_ requests: [WriteRequest]) {
    guard !requests.isEmpty else { return }
    var admitted: [WriteRequest] = []
    admitted.reserveCapacity(requests.count)
    for request in requests {
      // While the file is examined, there is no connection, so not even a write that frees space is
      // possible.
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

  /// Updates statistics and condition, and calls the completions of a group's writes.
  private func settle(_ outcome: SQLiteGroup.Outcome, _ duration: UInt64) {
    shared.count { $0.add(outcome, duration, logPages: Int(logPages.pointee)) }
    let failure = outcome.failure.map(described)
    if let failure {
      if failure.concernsFile { failed(failure, by: .statement) }
    } else if health.condition != .ready {
      // Only writes that free space are admitted while the store is full. Some of them change a row
      // in its place or nothing at all, so their success doesn't show that there is space.
      attempt(by: .statement) { () throws(StoreError) in try probe() }
    }
    // After the test, so that a completion that reads the condition finds it ready.
    for done in outcome.done { done() }
    for (request, error) in outcome.failed { request.fail(failure ?? error) }
    // After the completions, so that no caller waits for the checkpoint.
    checkpointIfDue()
  }

  // MARK: The connection

  /// Opens the file, migrates its tables and prepares the connection for writing.
  /// - Parameter isReopening: whether it was open before.
  func open(isReopening: Bool) throws(StoreError) {
    let path = shared.configuration.path
    let connection = try SQLiteConnection(
      path: path, isReader: false, isReopening: isReopening)
    let maximum = shared.maxBytes
    let state = shared.configuration.state
    let logPages = logPages
    transaction = try connection.use { session throws(StoreError) in
      // Before the first pragma, because the file of another program must not be changed.
      let version = try SQLiteMigrator(migrations: shared.configuration.migrations)
        .version(session, path: path)
      try session.prepare(maxBytes: maximum)
      try migrate(session, from: version)
      // The file may be new. Without this, a power failure could remove the file itself.
      if version == 0 { try FolderSync.syncNames(of: path) }
      // Stores the length of the log after each commit, so that no query is needed.
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

  /// Runs `body` with the connection. Throws the reason if there is no connection.
  func use<Value>(_ body: (SQLiteSession) throws(StoreError) -> Value) throws(StoreError) -> Value {
    guard let connection else {
      throw health.refusal(of: .single) ?? .closed
    }
    return try connection.use(body)
  }

  /// Makes a checkpoint if the write-ahead log is long enough. Pages that readers still need stay
  /// in the log.
  func checkpointIfDue() {
    guard health.condition == .ready, Int(logPages.pointee) >= nextCheckpoint else { return }
    do throws(StoreError) {
      // This mode doesn't wait. The others wait for readers, and writes would wait with them.
      try takeOver(SQLITE_CHECKPOINT_PASSIVE)
    } catch {
      if error.concernsFile { failed(error, by: .statement) }
    }
  }

  /// Makes a checkpoint: writes the write-ahead log into the file.
  func takeOver(_ mode: Int32) throws(StoreError) {
    var (pages, done): (Int32, Int32) = (0, 0)
    try use { session throws(StoreError) in
      let code = sqlite3_wal_checkpoint_v2(session.handle, nil, mode, &pages, &done)
      guard code == SQLITE_OK else { throw session.error(code) }
    }
    // Readers may still need some pages of the log. These don't count for the next checkpoint.
    // Otherwise, every transaction would try a checkpoint.
    let kept = pages > done ? Int(pages) : 0
    nextCheckpoint = kept + shared.configuration.checkpointPages
    let moment = shared.configuration.clock.now()
    shared.count {
      $0.checkpoints += 1
      $0.lastCheckpoint = moment
    }
  }

  /// Closes the file and releases its lock.
  func close() {
    health.closed()
    shared.condition = .closed
    // Before the connection, because it refers to statements of it.
    transaction = nil
    try? connection?.close()
    connection = nil
    // Last, because another host may open the file only after this one has closed it.
    lock.release()
  }
}
