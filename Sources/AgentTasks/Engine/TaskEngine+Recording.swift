public import AgentStore
internal import Synchronization

/// What is stored together with changes of tasks.
extension TaskEngine {
  /// Calls `recorder` with changes in the transaction that stores them, so that what it stores is there
  /// when they are, and isn't when they aren't. On the thread that stores; when it throws, nothing of
  /// the transaction is stored.
  public func record(
    _ recorder: @escaping @Sendable ([TaskChange], any StoreTransaction) throws -> Void
  ) {
    recorders.withLock { $0.append(recorder) }
  }

  func record(_ changes: [TaskChange], in transaction: any StoreTransaction) throws {
    if changes.isEmpty { return }
    for recorder in recorders.withLock({ $0 }) { try recorder(changes, transaction) }
  }
}
