internal import Glibc

/// Counts of numbers in buckets that grow by a constant factor: a quantile is off by at most
/// ``accuracy`` of its own value, whatever the distribution.
///
/// The method is that of Masson, Rim and Lee, «DDSketch» (VLDB 2019). Merging is exact: the
/// sketch of a union is the union of the sketches. At most ``bucketLimit`` buckets a sign are
/// kept, enough for values that differ by a factor of 10^35; beyond it the buckets nearest to zero
/// are put together, and only the quantiles that fall there lose the bound.
struct QuantileSketch: Sendable {
  /// The greatest relative error of a quantile.
  static let accuracy = 0.005
  /// The most buckets kept for positive, and for negative, numbers.
  static let bucketLimit = 8_192

  private static let growth = (1 + accuracy) / (1 - accuracy)
  private static let scale = 1 / log(growth)

  private var positive: [Int32: Int] = [:]
  private var negative: [Int32: Int] = [:]
  private var zeros = 0
  private(set) var count = 0
  private var least = Double.infinity
  private var greatest = -Double.infinity

  /// Counts `value`, which is finite.
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

  /// Counts all that `other` has counted.
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
    // Half as many more before anything is put together, so that it is done rarely.
    guard buckets.count > bucketLimit + bucketLimit / 2 else { return }
    let sorted = buckets.keys.sorted()
    guard let lowest = sorted.suffix(bucketLimit).first else { return }
    for bucket in sorted.dropLast(bucketLimit) {
      buckets[lowest, default: 0] += buckets.removeValue(forKey: bucket) ?? 0
    }
  }

  /// The value at `share` (0…1) of the way from the least to the greatest; nil without values.
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

  /// About how many bytes the buckets occupy.
  var bytes: Int {
    (positive.capacity + negative.capacity) * (MemoryLayout<(Int32, Int)>.stride + 1)
  }
}
