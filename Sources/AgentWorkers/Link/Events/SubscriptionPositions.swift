internal import AgentEvents
internal import AgentSystem
internal import Synchronization

/// Keeps the last positions of the subscriptions of workers that have ended. After a reload or a
/// crash, the next worker continues there and misses no event in between. Any thread.
package final class SubscriptionPositions: Sendable {
  private struct Key: Hashable {
    let process: String
    let query: String
  }

  /// The time for which a position is valid. A process that is down for longer starts with new
  /// events, like a process that never ran.
  static let validity = Duration.seconds(60)
  private let steady: @Sendable () -> Duration
  private let kept = Mutex<[Key: (position: UInt64, since: Duration)]>([:])

  /// - Parameter steady: the time of a clock that nobody sets. A wall clock that jumps ahead would
  ///   end all positions at once, and the events in between would be lost.
  package init(steady: @escaping @Sendable () -> Duration = { ClockSample.steady() }) {
    self.steady = steady
  }

  /// Keeps the position of a subscription whose worker has ended or ends.
  func keep(_ subscription: EventSubscription, of process: String) {
    let entry = (position: subscription.position, since: steady())
    kept.withLock { $0[Key(process: process, query: subscription.query.text)] = entry }
  }

  /// Returns and removes the position of a subscription of the same process and query. Returns
  /// `nil` if there is none, or if it isn't valid any more.
  func resume(_ query: EventQuery, of process: String) -> UInt64? {
    let oldest = steady() - Self.validity
    return kept.withLock { kept in
      // Old positions are removed here and not by a timer, because only this function reads them.
      kept = kept.filter { $0.value.since >= oldest }
      // Removed, because a second subscription of the same query is a new one.
      return kept.removeValue(forKey: Key(process: process, query: query.text))?.position
    }
  }
}
