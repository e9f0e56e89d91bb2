/// What a histogram had counted at one moment.
public struct HistogramSnapshot: Sendable, Hashable {
  /// The upper bound of each range but the last, which has none; they rise.
  public let bounds: [Double]
  /// How many values fell into each range: one figure more than there are bounds.
  public let counts: [Int]
  /// All values together.
  public let sum: Double

  /// A histogram that was counted elsewhere; missing figures are 0.
  public init(bounds: [Double], counts: [Int], sum: Double) {
    self.bounds = bounds
    self.counts = (0...bounds.count).map { counts.indices.contains($0) ? counts[$0] : 0 }
    self.sum = sum
  }

  /// How many values there were.
  public var count: Int { counts.reduce(0, +) }

  /// The value below which the share `share` (0…1) of all values lies, as nearly as the ranges say
  /// it; nil while there is no value.
  ///
  /// Rationale: Prometheus' `histogram_quantile`: values are taken to lie evenly within a range, the
  /// lowest range begins at 0, and what lies beyond the last bound is that bound.
  public func quantile(_ share: Double) -> Double? {
    let total = count
    guard total > 0, share >= 0, share <= 1 else { return nil }
    let rank = share * Double(total)
    var below = 0
    for (index, bound) in bounds.enumerated() {
      let here = counts[index]
      if here > 0, Double(below + here) >= rank {
        let start = index > 0 ? bounds[index - 1] : min(0, bound)
        return start + (bound - start) * max(0, rank - Double(below)) / Double(here)
      }
      below += here
    }
    return bounds.last
  }
}
