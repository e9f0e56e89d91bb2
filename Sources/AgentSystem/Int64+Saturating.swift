/// Saturating arithmetic for numbers from outside. A result out of range becomes the nearest
/// `Int64` and doesn't end the program.
extension Int64 {
  /// Returns the sum, or the nearest `Int64`.
  package func adding(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }

  /// Returns the difference, or the nearest `Int64`.
  package func subtracting(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// Returns the product, or the nearest `Int64`.
  package func multiplied(_ other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self > 0) == (other > 0) ? .max : .min) : product
  }

  /// Returns the nearest number within a range.
  package func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }

  /// Makes the integer part of a number, or the nearest `Int64`. NaN becomes 0.
  package init(clamping number: Double) {
    // 2^63 is a `Double` and isn't an `Int64`, so the comparison includes it.
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
  /// Returns the nearest number within a range. NaN becomes the lower bound.
  package func clamped(to range: ClosedRange<Double>) -> Double {
    isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
