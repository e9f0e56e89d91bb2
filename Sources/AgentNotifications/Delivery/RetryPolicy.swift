internal import AgentSystem

/// The times of further attempts after a failed delivery.
struct RetryPolicy: Sendable, Hashable {
  let attempts: Int
  let initial: Int64
  let most: Int64

  init(_ entry: NotifierEntry?) {
    attempts = max(1, entry?.attempts ?? 10)
    initial = max(1, entry?.initialBackoff ?? 5_000)
    most = max(initial, entry?.maxBackoff ?? 3_600_000)
  }

  /// Milliseconds until the next attempt; nil to give up.
  ///
  /// The wait doubles with each attempt. The result is random between half of the wait and all of
  /// it, so that simultaneous failures aren't retried simultaneously. A receiver that asks for a
  /// longer wait gets it, up to the longest wait.
  /// - Parameters:
  ///   - made: how many attempts were made; at least 1.
  ///   - randomFraction: from 0 to 1.
  func wait(after made: Int64, _ failure: DeliveryFailure, randomFraction: Double) -> Int64? {
    guard !failure.isFinal, made < attempts else { return nil }
    let doublings = max(1, made).subtracting(1).clamped(to: 0...40)
    let (product, overflow) = initial.multipliedReportingOverflow(by: 1 << doublings)
    let full = min(overflow ? .max : product, most)
    let wait = (full / 2).adding(
      Int64(clamping: Double(full.subtracting(full / 2)) * randomFraction.clamped(to: 0...1)))
    return max(wait, min(failure.retryAfter ?? 0, most))
  }
}
