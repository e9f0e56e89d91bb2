/// A write in the queue of the writer's thread. Either the result of `run` or `fail` is called,
/// exactly once.
struct WriteRequest: Sendable {
  let kind: WriteKind
  /// Runs the body. The group calls the returned completion when the transaction is durable.
  let run: @Sendable (any StoreTransaction) throws -> @Sendable () -> Void
  /// Reports an error to the caller. Nothing was stored.
  let fail: @Sendable (any Error) -> Void

  init<Value: Sendable>(
    _ kind: WriteKind, body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    self.kind = kind
    run = { transaction in
      let value = try body(transaction)
      return { completion(.success(value)) }
    }
    fail = { completion(.failure($0)) }
  }
}
