internal import Glibc

/// Counts of numbers in buckets that grow by a constant factor. The relative error of a quantile is
/// at most ``accuracy`` for every distribution.
///
/// The method is DDSketch of Masson, Rim and Lee (VLDB 2019). Merging is exact: the sketch of a
/// union is the union of the sketches. Each sign has at most ``bucketLimit`` buckets, enough for
/// values that differ by a factor of 10^35. Beyond it the buckets nearest to zero are merged, and
/// only quantiles in these lose the bound.
struct QuantileSketch: Sendable {
  /// The greatest relative error of a quantile.
  static let accuracy = 0.005
  /// The maximum number of buckets for positive, and for negative, numbers.
  static let bucketLimit = 8_192

  private static let growth = (1 + accuracy) / (1 - accuracy)
  private static let scale = 1 / log(growth)

  private var positive: [Int32: Int] = [:]
  private var negative: [Int32: Int] = [:]
  private var zeros = 0
  private(set) var count = 0
  private var least = Double.infinity
  private var greatest = -Double.infinity

  /// Counts a finite value.
  mutating func add(_ value: Double) {
    guard value.isFinite else { return }
    count += 1
    least = min(least, value)
    greatest = max(greatest, value)
    if value > 0 {
      Self.add(1, at: Self.bucket(value), to: &positive)
    } else if value < 0 {
      Self.add(1, at: Self.bucket(-value), to: &negative)
    } else {
      zeros += 1
    }
  }

  /// Adds everything that `other` has counted.
  mutating func merge(_ other: QuantileSketch) {
    count += other.count
    zeros += other.zeros
    least = min(least, other.least)
    greatest = max(greatest, other.greatest)
    for (bucket, number) in other.positive { Self.add(number, at: bucket, to: &positive) }
    for (bucket, number) in other.negative { Self.add(number, at: bucket, to: &negative) }
  }

  private static func bucket(_ magnitude: Double) -> Int32 {
    Int32(exactly: (log(magnitude) * scale).rounded(.up)) ?? .max
  }

  private static func add(_ number: Int, at bucket: Int32, to buckets: inout [Int32: Int]) {
    buckets[bucket, default: 0] += number
    // Half as many more buckets are allowed before a merge, so that merges are rare.
    guard buckets.count > bucketLimit + bucketLimit / 2 else { return }
    let sorted = buckets.keys.sorted()
    guard let lowest = sorted.suffix(bucketLimit).first else { return }
    for bucket in sorted.dropLast(bucketLimit) {
      buckets[lowest, default: 0] += buckets.removeValue(forKey: bucket) ?? 0
    }
  }

  /// Returns the value at `share` (0…1) between the least and the greatest. Nil means that there
  /// are no values.
  func quantile(_ share: Double) -> Double? {
    guard count > 0 else { return nil }
    let rank = Int(exactly: (min(max(share, 0), 1) * Double(count - 1)).rounded()) ?? count - 1
    return min(max(value(atRank: rank), least), greatest)
  }

  private func value(atRank rank: Int) -> Double {
    var passed = 0
    for bucket in negative.keys.sorted(by: >) {
      passed += negative[bucket] ?? 0
      if passed > rank { return -Self.middle(bucket) }
    }
    passed += zeros
    if passed > rank { return 0 }
    for bucket in positive.keys.sorted() {
      passed += positive[bucket] ?? 0
      if passed > rank { return Self.middle(bucket) }
    }
    return greatest
  }

  private static func middle(_ bucket: Int32) -> Double {
    2 * exp(Double(bucket) / scale) / (growth + 1)
  }

  /// The approximate number of bytes in the buckets.
  var bytes: Int {
    (positive.capacity + negative.capacity) * (MemoryLayout<(Int32, Int)>.stride + 1)
  }
}
