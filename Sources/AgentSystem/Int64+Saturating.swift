/// Arithmetic for numbers from outside: what doesn't fit becomes the nearest number that there is, in
/// place of ending the program.
extension Int64 {
  /// The sum, or the nearest number that there is.
  package func adding(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }

  /// The difference, or the nearest number that there is.
  package func subtracting(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// The product, or the nearest number that there is.
  package func multiplied(_ other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self > 0) == (other > 0) ? .max : .min) : product
  }

  /// The number itself, or the nearest within a range.
  package func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }

  /// The whole part of a number, or the nearest number that there is; 0 for what is no number.
  package init(clamping number: Double) {
    // 2^63 itself is a `Double` and no `Int64`.
    if number.isNaN {
      self = 0
    } else if number >= 0x1p63 {
      self = .max
    } else if number <= -0x1p63 {
      self = .min
    } else {
      self = Int64(exactly: number.rounded(.towardZero)) ?? 0
    }
  }
}

extension Double {
  /// The number itself, or the nearest within a range; the range's beginning for what is no number.
  package func clamped(to range: ClosedRange<Double>) -> Double {
    isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
