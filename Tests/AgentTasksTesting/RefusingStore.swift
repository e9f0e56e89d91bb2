package import AgentStore
import Synchronization

/// A store that takes no writes for as long as a test says so, as on a full disk. Reads go on.
package final class RefusingStore: Store {
  private let inner: SQLiteStore
  private let refusal = Mutex<StoreError?>(nil)
  private let count = Atomic(0)

  package init(_ inner: SQLiteStore) { self.inner = inner }

  /// How many writes were refused.
  package var refused: Int { count.load(ordering: .relaxed) }

  /// Refuses writes with this error; takes them again with nil.
  package func refuse(_ error: StoreError?) { refusal.withLock { $0 = error } }

  package func submit<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    guard let error = refusal.withLock(\.self) else {
      return inner.submit(kind, body, completion: completion)
    }
    count.add(1, ordering: .relaxed)
    // Not while the caller waits for this call.
    Task { completion(.failure(error)) }
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
  ) async throws -> Value { try await inner.read(body) }

  package var condition: StoreCondition { inner.condition }
  package var statistics: StoreStatistics { inner.statistics }
  package func close() async { await inner.close() }
}

extension StoreError {
  package static let closedForTest = StoreError(.closed, "The host has died.")
}
