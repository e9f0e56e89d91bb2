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
    shared.reads.close()
    shared.writes.close()
  }

  /// Opens the file, or makes it, and brings its tables up to date.
  public static func open(_ configuration: SQLiteStoreConfiguration) async throws -> SQLiteStore {
    try await withCheckedThrowingContinuation { continuation in
      do throws(StoreError) {
        try WorkThread.start { serve(configuration, continuation) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// The writer's thread.
  private static func serve(
    _ configuration: SQLiteStoreConfiguration,
    _ opened: CheckedContinuation<SQLiteStore, any Error>
  ) {
    let shared = SQLiteShared(configuration)
    do throws(StoreError) {
      let writer = try SQLiteWriter(shared)
      opened.resume(returning: SQLiteStore(shared, try SQLiteReaders(shared)))
      writer.run()
    } catch {
      opened.resume(throwing: error)
    }
  }

  /// Queues a write; the writer's thread runs it with what else waits.
  public func submit<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    if !shared.writes.put(.write(WriteRequest(kind, body, completion))) {
      completion(.failure(StoreError.closed))
    }
  }

  /// Reads on the next thread that is free.
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

  /// What the writer has done so far.
  public var statistics: StoreStatistics { shared.statistics }

  /// Finishes what is queued, takes all changes over into the file and closes it.
  public func close() async {
    await withCheckedContinuation { continuation in
      let readers = readers
      let isOpen = shared.writes.put(
        .alone { writer in
          readers.close()
          writer.close()
          continuation.resume()
        })
      shared.writes.close()
      if !isOpen { continuation.resume() }
    }
  }
}
