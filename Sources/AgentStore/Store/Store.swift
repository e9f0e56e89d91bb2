/// The database of an agent. Each noun that a target keeps there has a protocol of its own.
///
/// Every write goes through one writer, which puts what queued up during the last commit into the
/// next transaction. A write that has returned is durable: it survives a power cut. Safe from every
/// thread; nothing here blocks the caller's.
///
/// Implementations: ``SQLiteStore``. They all pass the same conformance suite.
public protocol Store: Sendable {
  /// Queues a write. Writes are made in the order of these calls, and those that wait together are
  /// committed together.
  ///
  /// - Parameters:
  ///   - kind: what the group does when this write fails.
  ///   - body: runs on the writer's thread, within the transaction. It must not wait for anything,
  ///     because every other write waits for it. It throws to undo its own changes.
  ///   - completion: called once, on the writer's thread: with what `body` returned when it is
  ///     durable, or with the reason why nothing of it was stored. It must be quick.
  func submit<Value: Sendable>(
    _ kind: WriteKind,
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void)

  /// Reads in a short transaction of its own, which sees all that was committed before this call.
  ///
  /// - Parameter body: runs on a reader's thread. Read many pages in a read each, and not much in
  ///   one read: while it lasts, the log of recent changes can't be taken into the file and grows.
  /// - Throws: what `body` throws, or a ``StoreError``.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
  ) async throws -> Value

  /// Whether writes are taken at the moment, and if not, why and since when. Doesn't wait.
  var condition: StoreCondition { get }

  /// Counts of the writer since the store was opened. Doesn't wait.
  var statistics: StoreStatistics { get }

  /// Finishes what is queued and closes the file. Afterwards every call fails with
  /// ``StoreError/Code/closed``.
  func close() async
}

/// What the group does when a write in it fails.
public enum WriteKind: Sendable, Hashable {
  /// The write has a savepoint of its own: when the body throws, its changes are undone and nobody
  /// else's.
  case savepoint
  /// The write has no savepoint, which is cheaper: for a body with one call of a storage, such as
  /// one `append`. A body that throws after it has changed something fails the whole group.
  case single
  /// As `savepoint`, and tried even while the disk is full, because it makes space.
  case freeing
}

extension Store {
  /// Writes and waits until it is durable; see ``submit(_:_:completion:)``.
  ///
  /// The wait can't be cancelled: a write that is queued happens or fails.
  /// - Throws: what `body` throws, or a ``StoreError``. Nothing of the write is stored then, unless
  ///   the code is ``StoreError/Code/fault``.
  public func write<Value: Sendable>(
    _ kind: WriteKind = .savepoint,
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      submit(kind, body) { continuation.resume(with: $0) }
    }
  }
}
