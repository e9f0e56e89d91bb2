import ECMARegex

/// A set of code points as sorted pairs of first and last, with binary search.
struct ScalarRanges: Sendable {
  private let bounds: [UInt32]

  init(_ bounds: [UInt32]) {
    self.bounds = bounds
  }

  /// Creates the set of all scalars in one of these scripts, by Unicode's names.
  init(scripts: String...) {
    let ranges = scripts.flatMap { ScalarScript.ranges(of: $0) ?? [] }
    self.init(ScalarSet.normalized(ranges).flatMap { [$0.lowerBound, $0.upperBound] })
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    // Searches for the first bound that isn't below the scalar: an upper one, or the scalar itself.
    var (low, high) = (0, bounds.count)
    while low < high {
      let middle = (low + high) / 2
      if bounds[middle] < scalar.value { low = middle + 1 } else { high = middle }
    }
    return low < bounds.count && (low % 2 == 1 || bounds[low] == scalar.value)
  }
}
