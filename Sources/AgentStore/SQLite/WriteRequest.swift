/// A write that waits for its turn.
struct WriteRequest: Sendable {
  let kind: WriteKind
  /// Runs the body; what it returns is called when the transaction is durable.
  let run: @Sendable (any StoreTransaction) throws -> @Sendable () -> Void
  /// Says that nothing was stored.
  let fail: @Sendable (any Error) -> Void

  init<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    self.kind = kind
    run = { transaction in
      let value = try body(transaction)
      return { completion(.success(value)) }
    }
    fail = { completion(.failure($0)) }
  }
}
