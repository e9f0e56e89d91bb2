import AgentStore
import Synchronization

/// A store of which some writes are stored although they fail, as when a sync fails whose pages the
/// disk has all the same.
final class DoubtfulStore: Store {
  private let store: any Store
  private let failing = Mutex<(code: StoreError.Code, isMeant: @Sendable (WriteKind) -> Bool)>(
    (.fault, { _ in false }))

  init(_ store: any Store) { self.store = store }

  /// From now on a write fails, after it was stored, when `isMeant` says so.
  func fail(
    _ code: StoreError.Code = .fault, _ isMeant: @escaping @Sendable (WriteKind) -> Bool
  ) {
    failing.withLock { $0 = (code, isMeant) }
  }

  func submit<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    store.submit(kind, body) { [self] result in
      let (code, isMeant) = failing.withLock { $0 }
      completion(isMeant(kind) ? .failure(StoreError(code, "A sync failed.")) : result)
    }
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
  ) async throws -> Value { try await store.read(body) }

  var condition: StoreCondition { store.condition }
  var statistics: StoreStatistics { store.statistics }
  func close() async { await store.close() }
}
