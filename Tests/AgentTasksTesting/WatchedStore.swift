package import AgentStore
import Synchronization

/// A store that tells a journal when each of its writes has ended, on the writer's thread.
package final class WatchedStore: Store {
  private let inner: any Store
  private let journal: SettlingJournal

  package init(_ inner: any Store, _ journal: SettlingJournal) {
    (self.inner, self.journal) = (inner, journal)
  }

  package func submit<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    inner.submit(kind, body) { [journal] outcome in
      completion(outcome)
      journal.ended()
    }
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
  ) async throws -> Value { try await inner.read(body) }

  package var condition: StoreCondition { inner.condition }
  package var statistics: StoreStatistics { inner.statistics }
  package func close() async { await inner.close() }
}

/// Counts the writes that ended before their changes were settled. For writes that are made one at
/// a time.
package final class SettlingJournal: Sendable {
  private struct State {
    var isStored = false
    var settled = 0
    var late = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// The number of settled changes.
  package var settled: Int { state.withLock { $0.settled } }
  /// The number of writes that ended too early.
  package var late: Int { state.withLock { $0.late } }

  /// A write has stored changes.
  package func stored() { state.withLock { $0.isStored = true } }

  /// Changes were settled.
  package func settle() {
    state.withLock { state in
      state.isStored = false
      state.settled += 1
    }
  }

  fileprivate func ended() {
    state.withLock { state in
      if state.isStored { state.late += 1 }
      state.isStored = false
    }
  }
}
