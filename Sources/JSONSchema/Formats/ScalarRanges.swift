/// A set of code points as sorted pairs of first and last; found by halving.
struct ScalarRanges: Sendable {
  private let bounds: [UInt32]

  init(_ bounds: [UInt32]) {
    self.bounds = bounds
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    // The first bound that isn't below the scalar: an upper one, or the scalar itself.
    var (low, high) = (0, bounds.count)
    while low < high {
      let middle = (low + high) / 2
      if bounds[middle] < scalar.value { low = middle + 1 } else { high = middle }
    }
    return low < bounds.count && (low % 2 == 1 || bounds[low] == scalar.value)
  }
}
