package import AgentStore
package import AgentTraces

/// A store that records each write as a span of the trace to which the write belongs. The span
/// begins when the write is queued, and ends when the write is durable.
package struct TracedStore: Store {
  private let store: any Store
  private let tracer: Tracer

  package init(_ store: any Store, _ tracer: Tracer) {
    self.store = store
    self.tracer = tracer
  }

  package func submit<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    guard let span = tracer.step("store write") else {
      return store.submit(kind, body, completion: completion)
    }
    store.submit(kind, body) { result in
      if case .failure(let error) = result {
        span.end(failure: "\(error)")
      } else {
        span.end()
      }
      completion(result)
    }
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
  ) async throws -> Value {
    try await store.read(body)
  }

  package var condition: StoreCondition { store.condition }
  package var statistics: StoreStatistics { store.statistics }
  package func close() async { await store.close() }
}
