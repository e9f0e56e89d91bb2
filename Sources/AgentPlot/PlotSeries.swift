/// A series of values over time, in bounded memory. When it has too many buckets, it merges
/// neighbors and keeps the range of their values.
struct PlotSeries: Sendable {
  /// The values in one interval of time.
  struct Bucket: Sendable, Hashable {
    var number: Int64
    var first: Double
    var last: Double
    var lowest: Double
    var highest: Double

    init(_ number: Int64, _ value: Double) {
      self.number = number
      first = value
      last = value
      lowest = value
      highest = value
    }

    /// Adds the values of a later bucket to this one.
    mutating func absorb(_ later: Bucket) {
      last = later.last
      lowest = min(lowest, later.lowest)
      highest = max(highest, later.highest)
    }
  }

  /// The largest number of buckets. It exceeds the dots across any terminal.
  private static let most = 4096

  let name: String
  private(set) var buckets: [Bucket] = []
  /// The length of a bucket, in milliseconds. It doubles with each merge.
  private(set) var width: Int64 = 1

  init(name: String) { self.name = name }

  /// Returns the start of a bucket, in Unix milliseconds.
  func time(of bucket: Bucket) -> Int64 { bucket.number * width }

  /// Adds a value. Times may come in any order. If two values share a bucket, the one added later
  /// counts as the later one.
  mutating func add(_ value: Double, at time: Int64) {
    let number = Self.floor(time, width)
    let index = place(of: number)
    if index < buckets.count, buckets[index].number == number {
      buckets[index].absorb(Bucket(number, value))
    } else {
      buckets.insert(Bucket(number, value), at: index)
    }
    while buckets.count > Self.most { halve() }
  }

  /// Returns the index of a bucket, or the index where it belongs. Values nearly always come in
  /// order, so the end is checked first.
  private func place(of number: Int64) -> Int {
    guard let last = buckets.last, number <= last.number else { return buckets.count }
    var (low, high) = (0, buckets.count)
    while low < high {
      let middle = (low + high) / 2
      if buckets[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func halve() {
    width *= 2
    var merged: [Bucket] = []
    for var bucket in buckets {
      bucket.number = Self.floor(bucket.number, 2)
      if let last = merged.last, last.number == bucket.number {
        merged[merged.count - 1].absorb(bucket)
      } else {
        merged.append(bucket)
      }
    }
    buckets = merged
  }

  private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
    let quotient = number / divisor
    return number % divisor < 0 ? quotient - 1 : quotient
  }
}
