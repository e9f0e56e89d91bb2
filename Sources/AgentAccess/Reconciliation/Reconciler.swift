internal import AgentStore
internal import AgentSystem
internal import Synchronization

/// Makes the memory of a registry agree with the database after a write that failed and may be
/// stored nevertheless. Otherwise, what was stored would be in force from the next start on. Safe
/// from every thread.
final class Reconciler: Sendable {
  /// Reads what a registry keeps in memory, on the writer's thread.
  /// - Returns: the action that replaces what is in memory, for the end of the commit.
  typealias Reading = @Sendable (any StoreTransaction) throws -> @Sendable () -> Void

  private struct State {
    /// How many writes were in doubt.
    var doubts = 0
    /// How many of them memory agrees with.
    var settled = 0
  }

  /// The pause after a try that failed, in milliseconds. An immediate one would probably fail too.
  private static let retryDelay: Int64 = 1_000

  private let store: any Store
  private let now: @Sendable () -> Int64
  private let timer: WakeTimer
  private let state = Mutex(State())
  private let registry = Mutex<(read: Reading, failed: @Sendable () -> Void)?>(nil)
  private let loop = Mutex<Task<Void, Never>?>(nil)

  /// - Parameter pause: waits for a duration, until the next try.
  init(
    _ store: any Store, now: @escaping @Sendable () -> Int64,
    pause: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.store = store
    self.now = now
    timer = WakeTimer(pause: pause)
  }

  deinit { loop.withLock { $0?.cancel() } }

  /// Begins to reconcile. Called once, by the registry, which the closures must not keep alive.
  /// - Parameter failed: called after each try that failed.
  func start(_ read: @escaping Reading, failed: @escaping @Sendable () -> Void = {}) {
    registry.withLock { $0 = (read, failed) }
    // The reference is weak, because the loop ends with the reconciler.
    let task = Task { [weak self, rings = timer.rings] in
      for await _ in rings { await self?.attempt() }
    }
    loop.withLock { $0 = task }
  }

  /// Handles a failed write. If it may be stored nevertheless, memory is in doubt.
  func doubt(after error: any Error) {
    if (error as? StoreError)?.isDoubtful == true { doubt() }
  }

  /// Reads the database again as soon as it answers.
  func doubt() {
    state.withLock { $0.doubts += 1 }
    timer.ring()
  }

  /// Makes memory agree with the database now. Does nothing if no write is in doubt.
  /// - Throws: `StoreError` if the database doesn't answer. Then memory is still in doubt.
  func settle() async throws {
    // Before the read: a write that fails from now on is in doubt again.
    let doubts = state.withLock { $0.settled < $0.doubts ? $0.doubts : nil }
    guard let doubts, let read = registry.withLock({ $0?.read }) else { return }
    // In a write and not in a read: it comes after the writes in doubt, and memory follows it in the
    // order of the commits. It changes nothing, so it is tried on a full disk too.
    try await store.write(.freeing) { transaction in
      transaction.afterCommit(try read(transaction))
    }
    state.withLock { $0.settled = max($0.settled, doubts) }
  }

  private func attempt() async {
    do {
      try await settle()
    } catch {
      registry.withLock { $0?.failed }?()
      // A closed store never answers again.
      guard (error as? StoreError)?.code != .closed else { return }
      let moment = now()
      timer.ring(at: moment.adding(Self.retryDelay), now: moment)
    }
  }
}
