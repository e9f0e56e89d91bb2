import AgentStore
import AgentTasksTesting
import Dispatch
import Synchronization

/// A store whose writes happen when the test says so, or not at all. Beneath is the real one, on a
/// database in memory.
final class SteppedStore: Store {
  /// A write that waits.
  struct Write: Sendable {
    /// The request that wants it, where it is one of the test's own.
    let request: SimulatedRequest?
    let body: @Sendable (any StoreTransaction) throws -> Void
    /// Called once: with nil when it is durable.
    let finish: @Sendable ((any Error)?) -> Void
  }

  private let inner: SQLiteStore
  private let writes = Mutex<[Write]>([])
  private let isCut = Atomic(false)

  init(_ inner: SQLiteStore) { self.inner = inner }

  var count: Int { writes.withLock { $0.count } }

  func take() -> Write? { writes.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

  /// The host has died: nothing of it reaches the disk any more.
  func cut() { isCut.store(true, ordering: .relaxed) }

  func submit<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let result = ResultBox<Value>()
    let write = Write(
      request: SimulatedRequest.claim(),
      body: { result.set(try body($0)) },
      finish: { completion($0.map { .failure($0) } ?? result.get()) })
    writes.withLock { $0.append(write) }
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
  ) async throws -> Value {
    // Other ready work may come before it.
    await Task.yield()
    if isCut.load(ordering: .relaxed) { throw StoreError.closedForTest }
    return try now { try body(TransactionSnapshot($0)) }
  }

  /// Stores a write; `refusal` comes once its body has run.
  func perform(_ write: Write, refusal: StoreError?) -> Result<[StoredChange], any Error> {
    if isCut.load(ordering: .relaxed) { return .failure(StoreError.closedForTest) }
    return Result {
      try now { transaction in
        let spied = SpiedTransaction(transaction)
        try write.body(spied)
        if let refusal { throw refusal }
        return spied.changes
      }
    }
  }

  /// Does something in a transaction, while the caller's thread waits.
  func now<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
  ) throws -> Value {
    let (result, isDone) = (ResultBox<Value>(), DispatchSemaphore(value: 0))
    inner.submit(.savepoint, body) {
      result.set($0)
      isDone.signal()
    }
    isDone.wait()
    return try result.get().get()
  }

  var condition: StoreCondition { inner.condition }
  var statistics: StoreStatistics { inner.statistics }
  func close() async {}
}

final class ResultBox<Value: Sendable>: Sendable {
  private let value = Mutex<Result<Value, any Error>?>(nil)
  func set(_ value: Value) { set(.success(value)) }
  func set(_ result: Result<Value, any Error>) { value.withLock { $0 = result } }
  func get() -> Result<Value, any Error> {
    value.withLock { $0 } ?? .failure(StoreError.closedForTest)
  }
}
