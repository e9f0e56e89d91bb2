internal import AgentSystem

/// A store in one file, with SQLite.
///
/// Only one host opens the file. A lock file next to it enforces this. See docs/store.md.
public final class SQLiteStore: Store {
  let shared: SQLiteShared
  private let readers: SQLiteReaders

  private init(_ shared: SQLiteShared, _ readers: SQLiteReaders) {
    self.shared = shared
    self.readers = readers
  }

  deinit {
    // Ends the threads of a store that wasn't closed. They hold `shared` and not the store.
    shared.reads.close()
    shared.writes.close()
  }

  /// Opens or creates the file and migrates its tables. Before an irreversible migration, it writes
  /// a backup next to the file.
  /// - Throws: `StoreError`: `locked` if another host has the file, `newer` for a file of a newer
  ///   version, `corrupt`, `full` or `unusable` if it can't be opened.
  public static func open(_ configuration: SQLiteStoreConfiguration) async throws -> SQLiteStore {
    try await withCheckedThrowingContinuation { continuation in
      do throws(StoreError) {
        // The thread that opens the file also writes. Both operations block, and a connection is
        // used by only one thread.
        try configuration.startThread { serve(configuration, continuation) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// The body of the writer's thread. It opens the file, resumes the caller, and writes until the
  /// store is closed.
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
    // The caller is resumed before the first write is taken, because it submits the writes.
    opened.resume(returning: SQLiteStore(shared, readers))
    writer.run()
  }

  /// Creates the writer and the readers, or neither.
  private static func start(
    _ shared: SQLiteShared
  ) throws(StoreError) -> (SQLiteWriter, SQLiteReaders) {
    let writer = try SQLiteWriter(shared)
    do throws(StoreError) {
      return (writer, try SQLiteReaders(shared))
    } catch {
      // Before the error is reported, because the caller may open the file again.
      writer.close()
      throw error
    }
  }

  /// Queues a write. The writer's thread runs it together with other queued writes. Never blocks.
  public func submit<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    if !shared.writes.put(.write(WriteRequest(kind, body: body, completion: completion))) {
      completion(.failure(StoreError.closed))
    }
  }

  /// Runs a read on the next free reader's thread.
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

  /// The condition, which shows whether writes are accepted.
  public var condition: StoreCondition { shared.condition }

  /// The statistics of the writer since the store was opened.
  public var statistics: StoreStatistics { shared.statistics }

  /// Finishes the queued calls, writes the write-ahead log into the file and closes it. Closing
  /// twice is allowed.
  public func close() async {
    await withCheckedContinuation { continuation in
      let readers = readers
      let isOpen = shared.writes.put(
        // After all queued writes, which are finished first.
        .alone { writer in
          // The readers first, because SQLite writes the log into the file when its last connection
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
