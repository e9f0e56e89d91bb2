internal import AgentSystem

/// The database in one file, through SQLite.
///
/// One host opens the file; a lock beside it says which. See docs/store.md.
public final class SQLiteStore: Store {
  let shared: SQLiteShared
  private let readers: SQLiteReaders

  private init(_ shared: SQLiteShared, _ readers: SQLiteReaders) {
    self.shared = shared
    self.readers = readers
  }

  deinit {
    // Ends the threads of a store that nobody has closed; they hold `shared` and not the store.
    shared.reads.close()
    shared.writes.close()
  }

  /// Opens the file, or makes it, and brings its tables up to date. Before a step that has no way
  /// back it writes a backup beside the file.
  /// - Throws: `StoreError`: `locked` when another host has the file, `newer` for a file of a newer
  ///   version, `corrupt`, `full` or `unusable` when it can't be opened.
  public static func open(_ configuration: SQLiteStoreConfiguration) async throws -> SQLiteStore {
    try await withCheckedThrowingContinuation { continuation in
      do throws(StoreError) {
        // The thread that opens the file is the one that writes: both block, and a connection is
        // used by one thread.
        try configuration.startThread { serve(configuration, continuation) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// The body of the writer's thread: opens the file, answers, and writes until the store is
  /// closed.
  private static func serve(
    _ configuration: SQLiteStoreConfiguration,
    _ opened: CheckedContinuation<SQLiteStore, any Error>
  ) {
    let shared = SQLiteShared(configuration)
    let writer: SQLiteWriter
    let readers: SQLiteReaders
    do throws(StoreError) {
      (writer, readers) = try start(shared)
    } catch {
      let path = configuration.path
      return opened.resume(throwing: error.opening(path, free: DiskSpace.free(beside: path)))
    }
    // Answered before the first write is taken, or nobody could ask for one.
    opened.resume(returning: SQLiteStore(shared, readers))
    writer.run()
  }

  private static func start(
    _ shared: SQLiteShared
  ) throws(StoreError) -> (SQLiteWriter, SQLiteReaders) {
    let writer = try SQLiteWriter(shared)
    do throws(StoreError) {
      return (writer, try SQLiteReaders(shared))
    } catch {
      // Before the error is reported: whoever gets it may open the file again.
      writer.close()
      throw error
    }
  }

  /// Queues a write; the writer's thread runs it with what else waits. Never blocks.
  public func submit<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    if !shared.writes.put(.write(WriteRequest(kind, body: body, completion: completion))) {
      completion(.failure(StoreError.closed))
    }
  }

  /// Reads on the next reader's thread that is free.
  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let request = ReadRequest(
        run: { snapshot in
          let value = try body(snapshot)
          return { continuation.resume(returning: value) }
        }, fail: { continuation.resume(throwing: $0) })
      if !shared.reads.put(request) { request.fail(StoreError.closed) }
    }
  }

  /// Whether writes are taken at the moment.
  public var condition: StoreCondition { shared.condition }

  /// Counts of the writer since the store was opened.
  public var statistics: StoreStatistics { shared.statistics }

  /// Finishes what is queued, takes all changes over into the file and closes it. Closing twice is
  /// no failure.
  public func close() async {
    await withCheckedContinuation { continuation in
      let readers = readers
      let isOpen = shared.writes.put(
        // Behind all writes in the queue, which are finished first.
        .alone { writer in
          // Readers first: SQLite takes recent changes over into the file when its last connection
          // closes.
          readers.close()
          writer.close()
          continuation.resume()
        })
      shared.writes.close()
      if !isOpen { continuation.resume() }
    }
  }
}
