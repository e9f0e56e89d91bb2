package import AgentStore
import Synchronization

/// A store that takes no writes for as long as a test says so, as on a full disk. Reads go on.
package final class RefusingStore: Store {
  private struct Refusal {
    let error: StoreError
    /// How many writes are still taken before it.
    var passing = 0
    var moment = Moment.beforeBody
  }

  /// When a write fails.
  private enum Moment {
    case beforeBody
    /// The changes of the body are undone.
    case afterBody
    /// It is stored nevertheless.
    case afterCommit
  }

  /// What becomes of the next write of a test that holds it.
  private enum Hold {
    case no
    /// The next write is held.
    case next
    /// A write is held. The closure submits it.
    case write(@Sendable () -> Void)
  }

  private let inner: SQLiteStore
  private let hold = Mutex(Hold.no)
  private let refusal = Mutex<Refusal?>(nil)
  private let readRefusal = Mutex<Refusal?>(nil)
  private let count = Atomic(0)
  private let readCount = Atomic(0)

  package init(_ inner: SQLiteStore) { self.inner = inner }

  /// How many writes were refused.
  package var refused: Int { count.load(ordering: .relaxed) }

  /// How many reads there were.
  package var reads: Int { readCount.load(ordering: .relaxed) }

  /// Refuses writes with this error; takes them again with nil.
  /// - Parameter writes: how many are taken before that.
  package func refuse(_ error: StoreError?, after writes: Int = 0) {
    refusal.withLock { $0 = error.map { Refusal(error: $0, passing: writes) } }
  }

  /// Refuses one read with this error.
  /// - Parameter reads: how many are taken before that.
  package func refuseRead(_ error: StoreError, after reads: Int) {
    readRefusal.withLock { $0 = Refusal(error: error, passing: reads) }
  }

  /// Stores each write and reports this error for it, as a disk that fails after a commit.
  package func storeAndFail(_ error: StoreError) {
    refusal.withLock { $0 = Refusal(error: error, moment: .afterCommit) }
  }

  /// Undoes each write and reports this error for it, as a disk that fails before a commit.
  package func undoAndFail(_ error: StoreError) {
    refusal.withLock { $0 = Refusal(error: error, moment: .afterBody) }
  }

  /// Holds the next write until ``letGo()``. Later ones pass it.
  package func holdNext() { hold.withLock { $0 = .next } }

  /// Whether a write is held.
  package var holdsWrite: Bool {
    hold.withLock { if case .write = $0 { true } else { false } }
  }

  /// Submits the held write.
  package func letGo() {
    let submits = hold.withLock { hold -> (@Sendable () -> Void)? in
      defer { hold = .no }
      if case .write(let submits) = hold { return submits }
      return nil
    }
    submits?()
  }

  package func submit<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let isHeld = hold.withLock { [inner] hold in
      guard case .next = hold else { return false }
      hold = .write { inner.submit(kind, body, completion: completion) }
      return true
    }
    if isHeld { return }
    let refused = refusal.withLock { refusal -> Refusal? in
      guard let present = refusal else { return nil }
      if present.passing > 0 {
        refusal?.passing -= 1
        return nil
      }
      return present
    }
    guard let refused else { return inner.submit(kind, body, completion: completion) }
    count.add(1, ordering: .relaxed)
    switch refused.moment {
    case .beforeBody:
      // Not while the caller waits for this call.
      Task { completion(.failure(refused.error)) }
    case .afterBody:
      // In a savepoint, whatever its kind, so that it alone is undone.
      inner.submit(
        .savepoint,
        {
          _ = try body($0)
          throw refused.error
        }, completion: completion)
    case .afterCommit: inner.submit(kind, body) { _ in completion(.failure(refused.error)) }
    }
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
  ) async throws -> Value {
    readCount.add(1, ordering: .relaxed)
    let refused = readRefusal.withLock { refusal -> StoreError? in
      guard let present = refusal else { return nil }
      if present.passing > 0 {
        refusal?.passing -= 1
        return nil
      }
      refusal = nil
      return present.error
    }
    if let refused { throw refused }
    return try await inner.read(body)
  }

  package var condition: StoreCondition { inner.condition }
  package var statistics: StoreStatistics { inner.statistics }
  package func close() async { await inner.close() }
}

extension StoreError {
  package static let closedForTest = StoreError(.closed, "The host has died.")
}
