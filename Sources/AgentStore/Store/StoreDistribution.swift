/// A histogram of the writer: the number of values in each range.
public struct StoreDistribution: Sendable, Hashable {
  /// The upper bounds of the ranges in ascending order. The last range has no bound.
  public let bounds: [Double]
  /// The number of values in each range. There is one more range than bounds.
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
