import AgentStore
import Synchronization

/// A store whose writes a test lets fail, as on a disk that fails.
final class DoubtfulStore: Store {
  /// What becomes of the writes.
  enum Behavior: Sendable {
    case works
    /// A sync fails at the end of a commit whose pages the disk has all the same: the writes are
    /// stored, and nothing happens that waits for their commit.
    case storesAndFails
    /// No write is begun.
    case refuses
  }

  /// Whether each write was reported as stored, in their order.
  let outcomes: AsyncStream<Bool>
  private let outcome: AsyncStream<Bool>.Continuation
  private let store: any Store
  private let behavior = Mutex(Behavior.works)

  init(_ store: any Store) {
    self.store = store
    (outcomes, outcome) = AsyncStream.makeStream()
  }

  func become(_ behavior: Behavior) { self.behavior.withLock { $0 = behavior } }

  func submit<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let fault = StoreError(.fault, "The disk has failed.")
    let complete: @Sendable (Result<Value, any Error>) -> Void = { [outcome] result in
      if case .success = result { outcome.yield(true) } else { outcome.yield(false) }
      completion(result)
    }
    switch behavior.withLock(\.self) {
    case .works: store.submit(kind, body, completion: complete)
    case .storesAndFails:
      store.submit(kind) { transaction in
        try body(DoubtfulTransaction(transaction))
      } completion: { result in
        complete(result.flatMap { _ in .failure(fault) })
      }
    case .refuses: complete(.failure(fault))
    }
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
  ) async throws -> Value { try await store.read(body) }

  var condition: StoreCondition { store.condition }
  var statistics: StoreStatistics { store.statistics }
  func close() async { await store.close() }
}

/// A transaction that is stored and reported as failed.
private final class DoubtfulTransaction: StoreTransaction {
  private let inner: any StoreTransaction

  init(_ inner: any StoreTransaction) { self.inner = inner }

  var events: any EventStorage { inner.events }
  var consumers: any ConsumerStorage { inner.consumers }
  var state: any StateStorage { inner.state }
  var tokens: any TokenStorage { inner.tokens }
  var users: any UserStorage { inner.users }
  var audit: any AuditStorage { inner.audit }
  var alerts: any AlertStorage { inner.alerts }
  var deliveries: any DeliveryStorage { inner.deliveries }
  var idempotencyKeys: any IdempotencyKeyStorage { inner.idempotencyKeys }
  var tasks: any TaskStorage { inner.tasks }
  var bots: any BotStorage { inner.bots }
  var assignments: any AssignmentStorage { inner.assignments }
  var schedules: any ScheduleStorage { inner.schedules }
  // As the store does it: what waits for the commit of a failed transaction is released.
  func afterCommit(_ action: @escaping @Sendable () -> Void) {}
}
