package import AgentStore
internal import Synchronization

/// Knows whether the database prevents workers from working. A worker that ends because nothing can
/// be stored isn't at fault.
package final class StoreHindrance: Sendable {
  /// The time after the recovery of the database in which ends still count as its fault. A worker
  /// that was refused just before may still be ending.
  static let echo = Duration.seconds(5)

  private enum State {
    case none
    case lasting
    case over(since: ContinuousClock.Instant)
  }

  private let state = Mutex(State.none)
  private let now: @Sendable () -> ContinuousClock.Instant

  package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

  /// Whether the database is at fault for an end now.
  package var lasts: Bool {
    switch state.withLock({ $0 }) {
    case .none: false
    case .lasting: true
    case .over(let since): now() - since < Self.echo
    }
  }

  /// Records the new condition of the database.
  /// - Returns: whether it accepts writes again after it didn't.
  package func changed(to condition: StoreCondition) -> Bool {
    state.withLock { state in
      switch condition {
      case .full, .faulty, .corrupt:
        state = .lasting
        return false
      case .ready, .closed:
        guard case .lasting = state else { return false }
        state = .over(since: now())
        // A closed database accepts no writes, so nothing starts because of it.
        return condition == .ready
      }
    }
  }
}
