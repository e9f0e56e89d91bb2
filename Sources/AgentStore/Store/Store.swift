/// The database of an agent. The rows of each kind have their own protocol.
///
/// Every write goes through a single writer. The writes that are queued during a commit form the
/// next transaction. A completed write is durable: it survives a power failure. Safe from every
/// thread. No call blocks the caller's thread.
///
/// Implementations: ``SQLiteStore``. All implementations pass the same conformance suite.
public protocol Store: Sendable {
  /// Queues a write. Writes run in the order of these calls. Writes that wait at the same time are
  /// committed together.
  ///
  /// - Parameters:
  ///   - kind: the handling of the group if this write fails.
  ///   - body: runs on the writer's thread, within the transaction. It must not wait, because all
  ///     other writes wait for it. If it throws, its changes are rolled back.
  ///   - completion: called once, on the writer's thread: with the result of `body` when it is
  ///     durable, or with an error if it wasn't stored. It must return quickly.
  func submit<Value: Sendable>(
    _ kind: WriteKind,
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void)

  /// Reads in a separate transaction, which sees all commits before this call.
  ///
  /// - Parameter body: runs on a reader's thread. It must be short, because no checkpoint can
  ///   complete during a read, so that the write-ahead log grows. Read each page in its own call.
  /// - Throws: the error of `body`, or a ``StoreError``.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
  ) async throws -> Value

  /// Whether writes are accepted. If not, it has the reason and the time. Doesn't block.
  var condition: StoreCondition { get }

  /// The statistics of the writer since the store was opened. Doesn't block.
  var statistics: StoreStatistics { get }

  /// Finishes the queued calls and closes the file. After that, every call fails with
  /// ``StoreError/Code/closed``.
  func close() async
}

/// The handling of a group if a write in it fails.
public enum WriteKind: Sendable, Hashable {
  /// The write has its own savepoint. If its body throws, only its own changes are rolled back.
  case savepoint
  /// The write has no savepoint, which is cheaper. Use it for a body with a single call of a
  /// storage, such as one `append`. A body that throws after it has changed something makes the
  /// whole group fail.
  case single
  /// Like `savepoint`, but the write is also tried while the disk is full, because it frees space.
  case freeing
}

extension Store {
  /// Writes and waits until the write is durable; see ``submit(_:_:completion:)``.
  ///
  /// The wait can't be cancelled. A queued write is executed or fails.
  /// - Throws: the error of `body`, or a ``StoreError``. Then nothing of the write is stored,
  ///   unless the code is ``StoreError/Code/fault``.
  public func write<Value: Sendable>(
    _ kind: WriteKind = .savepoint,
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      submit(kind, body) { continuation.resume(with: $0) }
    }
  }
}
