/// How often figures of the writer fell into each of some ranges.
public struct StoreDistribution: Sendable, Hashable {
  /// The upper bound of each range but the last, which has none; they rise.
  public let bounds: [Double]
  /// How many figures fell into each range: one more than there are bounds.
  public private(set) var counts: [Int]
  /// All figures together.
  public private(set) var sum = 0.0

  init(bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  mutating func add(_ figure: Double) {
    counts[bounds.firstIndex { figure <= $0 } ?? bounds.count] += 1
    sum += figure
  }
}
