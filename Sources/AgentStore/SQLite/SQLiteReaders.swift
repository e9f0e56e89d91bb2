/// The threads for reads. Each has its own connection that can't change anything.
///
/// Rationale: SQLite blocks, and would block the concurrency pool, which has one thread for each
/// core.
final class SQLiteReaders: Sendable {
  private let shared: SQLiteShared
  private let ended = Semaphore()
  private let count: Int

  /// Starts all readers. If one can't be started, the others are stopped.
  init(_ shared: SQLiteShared) throws(StoreError) {
    self.shared = shared
    let count = max(1, shared.configuration.readers)
    var started = 0
    do throws(StoreError) {
      while started < count {
        try shared.configuration.startThread { [ended] in Self.serve(shared, ended) }
        started += 1
      }
    } catch {
      // The readers that were started would wait forever, because nobody can submit a read.
      shared.reads.close()
      for _ in 0..<started { ended.wait() }
      throw error
    }
    self.count = count
  }

  /// The body of a reader's thread. It serves reads one after the other until the store is closed.
  private static func serve(_ shared: SQLiteShared, _ ended: Semaphore) {
    var reader = SQLiteReader(shared.configuration)
    // One at a time. A second request would wait here while another reader is idle.
    while let requests = shared.reads.take(1) {
      for request in requests { reader.serve(request) }
    }
    reader.close()
    ended.signal()
  }

  /// Finishes the queued reads. Blocks until every reader has closed its connection.
  func close() {
    shared.reads.close()
    for _ in 0..<count { ended.wait() }
  }
}

/// The connection of a reader, opened at its first read. Used by only one thread.
struct SQLiteReader {
  private let configuration: SQLiteStoreConfiguration
  private var open: (connection: SQLiteConnection, snapshot: SQLiteSnapshot)?

  init(_ configuration: SQLiteStoreConfiguration) { self.configuration = configuration }

  /// Runs a read in a transaction and resumes its caller.
  mutating func serve(_ request: ReadRequest) {
    do {
      let (connection, snapshot) = try ready()
      var done: (@Sendable () -> Void)?
      var failure: (any Error)?
      try connection.use { session throws(StoreError) in
        // A read may consist of several statements, which must see the same state.
        try session.run("BEGIN")
        // The result is kept, because the transaction must end before the caller gets it.
        do { done = try request.run(snapshot) } catch { failure = error }
        try session.run("COMMIT")
      }
      // A temporary read error isn't damage. The next read tries again with a new connection.
      if let failure = failure as? StoreError, failure.concernsFile { close() }
      // After COMMIT. A caller that continues in this closure would keep the transaction open, and
      // a checkpoint of the write-ahead log couldn't complete.
      if let done { done() } else { request.fail(failure ?? StoreError.closed) }
    } catch {
      // A new connection is opened for the next read, as above.
      close()
      request.fail(error)
    }
  }

  /// Returns the open connection, or opens one.
  private mutating func ready() throws(StoreError) -> (SQLiteConnection, SQLiteSnapshot) {
    if let open { return open }
    // The writer has opened the file before any reader exists.
    let connection = try SQLiteConnection(
      path: configuration.path, isReader: true, isReopening: true)
    let snapshot = try connection.use { session throws(StoreError) in
      SQLiteSnapshot(session, limits: configuration.state)
    }
    open = (connection, snapshot)
    return (connection, snapshot)
  }

  mutating func close() {
    // The statements of the snapshot must be finalized before the connection is closed.
    let connection = open?.connection
    open = nil
    try? connection?.close()
  }
}
