package import AgentStore
internal import Synchronization

/// Whether the database keeps workers from their work: a worker that ends because nothing can be
/// stored has no fault of its own.
package final class StoreHindrance: Sendable {
  /// The time after the database takes writes again in which ends still count as its fault: a
  /// worker that was refused a moment ago is on its way out.
  static let echo = Duration.seconds(5)

  private enum State {
    case none
    case lasting
    case over(since: ContinuousClock.Instant)
  }

  private let state = Mutex(State.none)
  private let now: @Sendable () -> ContinuousClock.Instant

  package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

  /// Whether an end now is the database's fault.
  package var lasts: Bool {
    switch state.withLock({ $0 }) {
    case .none: false
    case .lasting: true
    case .over(let since): now() - since < Self.echo
    }
  }

  /// The database is in another condition.
  /// - Returns: whether it takes writes again, after it didn't.
  package func changed(to condition: StoreCondition) -> Bool {
    state.withLock { state in
      switch condition {
      case .full, .faulty, .corrupt:
        state = .lasting
        return false
      case .ready, .closed:
        guard case .lasting = state else { return false }
        state = .over(since: now())
        // A database that was closed takes no writes, so nothing is to be started for it.
        return condition == .ready
      }
    }
  }
}
