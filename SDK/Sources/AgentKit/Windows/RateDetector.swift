/// Detects that something happens too often: a number of times within a window. It reports at most
/// once per cooldown.
///
/// ```swift
/// var rate = RateDetector(limit: 10, window: .seconds(60), cooldown: .seconds(60))
/// if rate.add(event.timestamp ?? host.now) { … }
/// ```
///
/// It has no clock: the caller passes the times, in Unix milliseconds. It keeps the last ``limit``
/// of them.
public struct RateDetector: Sendable, Hashable {
  /// The number of times within the window that is too many.
  public let limit: Int
  /// The first and the last of them must be less than this apart.
  public let window: Duration
  /// The shortest time between two reports.
  public let cooldown: Duration

  private var times: [Int64] = []
  private var next = 0
  private var lastReport: Int64?

  /// Begins with nothing counted.
  public init(limit: Int, window: Duration, cooldown: Duration) {
    self.limit = max(1, limit)
    self.window = window
    self.cooldown = cooldown
  }

  /// Counts one; `true` when there are too many and the cooldown since the last report is over.
  public mutating func add(_ time: Int64) -> Bool {
    if times.count < limit { times.append(time) } else { times[next] = time }
    next = (next + 1) % limit
    // The next place holds the first of the last `limit`.
    guard times.count == limit, isWithin(window, from: times[next], to: time) else { return false }
    if let lastReport, isWithin(cooldown, from: lastReport, to: time) { return false }
    lastReport = time
    return true
  }

  /// Times come from events: their difference must not overflow.
  private func isWithin(_ span: Duration, from first: Int64, to last: Int64) -> Bool {
    .milliseconds(last &- first) < span
  }
}
