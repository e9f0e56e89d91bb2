/// The counts of a histogram at one moment.
public struct HistogramSnapshot: Sendable, Hashable {
  /// The upper bounds of the ranges, in rising order. The last range has no upper bound and isn't
  /// listed.
  public let bounds: [Double]
  /// The number of values in each range. There is one range more than there are bounds.
  public let counts: [Int]
  /// The sum of all values.
  public let sum: Double

  /// Creates a snapshot of a histogram that is counted elsewhere. Missing counts are 0, and surplus
  /// counts are ignored.
  public init(bounds: [Double], counts: [Int], sum: Double) {
    self.bounds = bounds
    self.counts = Array(
      (counts + repeatElement(0, count: max(0, bounds.count + 1 - counts.count)))
        .prefix(bounds.count + 1))
    self.sum = sum
  }

  /// The upper bound of each range. The last one is `nil`, because the last range has none.
  var labels: [Double?] { bounds + [nil] }

  /// The number of values.
  public var count: Int { counts.reduce(0, +) }

  /// Estimates the value below which `share` (0…1) of all values lie. Returns `nil` if there are no
  /// values or `share` is out of range.
  ///
  /// Rationale: the formula is that of Prometheus' `histogram_quantile`. Values are distributed
  /// evenly within a range, the lowest range begins at 0, and values beyond the last bound count as
  /// that bound.
  public func quantile(_ share: Double) -> Double? {
    let total = count
    guard total > 0, share >= 0, share <= 1 else { return nil }
    let rank = share * Double(total)
    var below = 0
    var former: Double?
    for (bound, here) in zip(bounds, counts) {
      if here > 0, Double(below + here) >= rank {
        let start = former ?? min(0, bound)
        return start + (bound - start) * max(0, rank - Double(below)) / Double(here)
      }
      below += here
      former = bound
    }
    return bounds.last
  }
}
