internal import AgentEvents
internal import AgentSystem
internal import Synchronization

/// Where the subscriptions of workers that have ended had come to, so that the worker that takes
/// over, after a reload or a crash, misses nothing in between.
package final class SubscriptionPositions: Sendable {
  private struct Key: Hashable {
    let process: String
    let query: String
  }

  /// A process that stays down longer starts with what is new, as one that never ran.
  static let validity: Int64 = 60_000
  private let now: @Sendable () -> Int64
  private let kept = Mutex<[Key: (position: UInt64, since: Int64)]>([:])

  package init(now: @escaping @Sendable () -> Int64 = { Timestamp.now() }) { self.now = now }

  /// Keeps the position of a subscription whose worker has ended or ends.
  func keep(_ subscription: EventSubscription, of process: String) {
    let entry = (position: subscription.position, since: now())
    kept.withLock { $0[Key(process: process, query: subscription.query.text)] = entry }
  }

  /// Returns, once, where a subscription of the same process and query had come to.
  func resume(_ query: EventQuery, of process: String) -> UInt64? {
    let oldest = now().subtracting(Self.validity)
    return kept.withLock { kept in
      // Here and not by a timer: only a resumption looks at the entries.
      kept = kept.filter { $0.value.since >= oldest }
      // Once: a second subscription of the same query is a new one.
      return kept.removeValue(forKey: Key(process: process, query: query.text))?.position
    }
  }
}
