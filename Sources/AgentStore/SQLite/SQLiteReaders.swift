/// Threads that read, each with a connection of its own that can't change anything.
///
/// Rationale: threads of our own, because SQLite blocks, and a pool with a thread a core would
/// stand still.
final class SQLiteReaders: Sendable {
  private let shared: SQLiteShared
  private let ended = Semaphore()
  private let count: Int

  /// Starts all readers, or none.
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
      // The readers before this one would wait for ever for a read that nobody can ask for.
      shared.reads.close()
      for _ in 0..<started { ended.wait() }
      throw error
    }
    self.count = count
  }

  /// The body of a reader's thread: serves one read after the other until the store is closed.
  private static func serve(_ shared: SQLiteShared, _ ended: Semaphore) {
    var reader = SQLiteReader(shared.configuration)
    // One at a time: a second one would wait here while another reader is idle.
    while let requests = shared.reads.take(1) {
      for request in requests { reader.serve(request) }
    }
    reader.close()
    ended.signal()
  }

  /// Finishes what is queued. Blocks until every reader has closed its connection.
  func close() {
    shared.reads.close()
    for _ in 0..<count { ended.wait() }
  }
}

/// A reader's connection, opened at its first read. Used by one thread.
struct SQLiteReader {
  private let configuration: SQLiteStoreConfiguration
  private var open: (connection: SQLiteConnection, snapshot: SQLiteSnapshot)?

  init(_ configuration: SQLiteStoreConfiguration) { self.configuration = configuration }

  mutating func serve(_ request: ReadRequest) {
    do {
      let (connection, snapshot) = try ready()
      var done: (@Sendable () -> Void)?
      var failure: (any Error)?
      try connection.use { session throws(StoreError) in
        // A read is several statements; within a transaction they see one state.
        try session.run("BEGIN")
        // Kept, because the transaction has to end before the caller is answered.
        do { done = try request.run(snapshot) } catch { failure = error }
        try session.run("COMMIT")
      }
      // A disk that fails for a moment isn't damage: the next read tries with a new connection.
      if let failure = failure as? StoreError, failure.concernsFile { close() }
      // After COMMIT: a caller that goes on in here would keep the transaction open, and the log of
      // recent changes couldn't be taken over.
      if let done { done() } else { request.fail(failure ?? StoreError.closed) }
    } catch {
      // As above.
      close()
      request.fail(error)
    }
  }

  private mutating func ready() throws(StoreError) -> (SQLiteConnection, SQLiteSnapshot) {
    if let open { return open }
    let connection = try SQLiteConnection(path: configuration.path, isReader: true)
    let snapshot = try connection.use { session throws(StoreError) in
      SQLiteSnapshot(session, limits: configuration.state)
    }
    open = (connection, snapshot)
    return (connection, snapshot)
  }

  mutating func close() {
    // The snapshot's statements go first.
    let connection = open?.connection
    open = nil
    try? connection?.close()
  }
}
