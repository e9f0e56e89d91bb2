/// Ranges of numbers. It finds the ranges that contain a number without a test of each.
///
/// The ranges are sorted by their lower ends. The middle of a part of the list is the root of the
/// tree over that part, and it holds the greatest upper end in it. A look-up takes the logarithm of
/// the count plus the number of ranges found. A change takes time in proportion to the count.
struct IntervalTree: Sendable {
  private struct Interval: Sendable {
    let slot: Int
    let lower: Double
    let upper: Double
    /// The greatest upper end in the tree below this one.
    var reach: Double
  }

  private var intervals: [Interval] = []

  var isEmpty: Bool { intervals.isEmpty }

  mutating func insert(_ slot: Int, lower: Double, upper: Double) {
    let position = intervals.firstIndex { $0.lower > lower } ?? intervals.count
    intervals.insert(
      Interval(slot: slot, lower: lower, upper: upper, reach: upper), at: position)
    _ = measure(0..<intervals.count)
  }

  mutating func remove(_ slot: Int) {
    intervals.removeAll { $0.slot == slot }
    _ = measure(0..<intervals.count)
  }

  private mutating func measure(_ piece: Range<Int>) -> Double {
    guard !piece.isEmpty else { return -.infinity }
    let middle = (piece.lowerBound + piece.upperBound) / 2
    let below = measure(piece.lowerBound..<middle)
    let above = measure(middle + 1..<piece.upperBound)
    intervals[middle].reach = max(intervals[middle].upper, below, above)
    return intervals[middle].reach
  }

  /// Appends the slots of the ranges that contain `value`.
  func find(_ value: Double, into slots: inout [Int]) {
    find(value, 0..<intervals.count, into: &slots)
  }

  private func find(_ value: Double, _ piece: Range<Int>, into slots: inout [Int]) {
    guard !piece.isEmpty else { return }
    let middle = (piece.lowerBound + piece.upperBound) / 2
    let interval = intervals[middle]
    guard interval.reach >= value else { return }
    find(value, piece.lowerBound..<middle, into: &slots)
    guard interval.lower <= value else { return }
    if value <= interval.upper { slots.append(interval.slot) }
    find(value, middle + 1..<piece.upperBound, into: &slots)
  }
}
