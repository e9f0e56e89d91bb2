/// What a histogram had counted at one moment.
public struct HistogramSnapshot: Sendable, Hashable {
  /// The upper bound of each range but the last, which has none; they rise.
  public let bounds: [Double]
  /// How many values fell into each range. There is one range more than there are bounds.
  public let counts: [Int]
  /// All values together.
  public let sum: Double

  /// A histogram that was counted elsewhere; missing counts are 0.
  public init(bounds: [Double], counts: [Int], sum: Double) {
    self.bounds = bounds
    self.counts = Array(
      (counts + repeatElement(0, count: max(0, bounds.count + 1 - counts.count)))
        .prefix(bounds.count + 1))
    self.sum = sum
  }

  /// The upper bound of each range; nil of the last, which has none.
  var labels: [Double?] { bounds + [nil] }

  /// How many values there were.
  public var count: Int { counts.reduce(0, +) }

  /// The value below which the share `share` (0…1) of all values lies, as nearly as the ranges say
  /// it; nil while there is no value.
  ///
  /// Rationale: Prometheus' `histogram_quantile`: values are taken to lie evenly within a range,
  /// the lowest range begins at 0, and what lies beyond the last bound is that bound.
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
