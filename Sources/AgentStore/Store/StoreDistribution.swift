/// A histogram of the writer: how many values fell into each range.
public struct StoreDistribution: Sendable, Hashable {
  /// The upper bounds of all ranges but the last, which has none, in rising order.
  public let bounds: [Double]
  /// How many values fell into each range. There is one range more than there are bounds.
  public private(set) var counts: [Int]
  /// The sum of all values.
  public private(set) var sum = 0.0

  init(bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  mutating func add(_ value: Double) {
    counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
    sum += value
  }
}
