/// Threads that read, each with a connection of its own that can't change anything.
final class SQLiteReaders: Sendable {
  private let shared: SQLiteShared
  private let ended = Semaphore()
  private let count: Int

  init(_ shared: SQLiteShared) throws(StoreError) {
    self.shared = shared
    count = max(1, shared.configuration.readers)
    for _ in 0..<count {
      try WorkThread.start { [shared, ended] in
        var reader = SQLiteReader(shared.configuration)
        while let requests = shared.reads.take(1) {
          for request in requests { reader.serve(request) }
        }
        reader.close()
        ended.signal()
      }
    }
  }

  /// Finishes what is queued. Blocks.
  func close() {
    shared.reads.close()
    for _ in 0..<count { ended.wait() }
  }
}

/// One of them.
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
        try session.run("BEGIN")
        do { done = try request.run(snapshot) } catch { failure = error }
        try session.run("COMMIT")
      }
      if let failure = failure as? StoreError, failure.concernsFile { close() }
      if let done { done() } else { request.fail(failure ?? StoreError.closed) }
    } catch {
      // The next read tries with a new connection.
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
    let connection = open?.connection
    open = nil
    try? connection?.close()
  }
}
