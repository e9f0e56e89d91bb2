/// An exact number: digits × 10^exponent. It has no leading or trailing zeros, so that equal
/// numbers are equal structs. Zero has no digits.
struct JSONDecimal: Hashable {
  private(set) var isNegative = false
  private(set) var digits: [UInt8] = []
  private(set) var exponent: Int128 = 0

  /// The limit for exponents. Larger ones are only known to be out of range. A number of that size
  /// with zeros in place of an exponent exceeds every disk.
  private static let exponentLimit: Int128 = 100_000_000_000_000_000_000_000_000_000_000_000

  /// Reads a valid JSON number, or the description of a finite double or an integer.
  init(_ text: String) {
    var isFraction = false
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte.isDigit {
        append(byte &- .zero, isFraction: isFraction)
      } else if byte == .minus {
        isNegative = true
      } else if byte == .point {
        isFraction = true
      } else {
        exponent += Self.exponent(rest)
        break
      }
    }
    dropTrailingZeros()
  }

  private mutating func append(_ digit: UInt8, isFraction: Bool) {
    if isFraction { exponent -= 1 }
    if digit != 0 || !digits.isEmpty { digits.append(digit) }
  }

  private mutating func dropTrailingZeros() {
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty {
      isNegative = false
      exponent = 0
    }
  }

  private static func exponent(_ text: Substring.UTF8View) -> Int128 {
    var value: Int128 = 0
    for byte in text where byte.isDigit {
      value = value * 10 + Int128(byte &- .zero)
      if value >= exponentLimit {
        value = exponentLimit
        break
      }
    }
    return text.first == .minus ? -value : value
  }

  var isZero: Bool { digits.isEmpty }

  var isInteger: Bool { exponent >= 0 }

  /// The power of ten of the first digit, plus one.
  private var magnitude: Int128 { Int128(digits.count) + exponent }

  /// Returns the value as a `T`, or `nil` if it has a fraction or doesn't fit.
  func integer<T: FixedWidthInteger>() -> T? {
    guard isInteger, magnitude <= 40 else { return nil }
    var value: T = 0
    for position in 0..<Int(magnitude) {
      let digit = position < digits.count ? digits[position] : 0
      let (product, tooBig) = value.multipliedReportingOverflow(by: 10)
      guard !tooBig, let step = T(exactly: digit) else { return nil }
      let (sum, overflow) =
        isNegative
        ? product.subtractingReportingOverflow(step) : product.addingReportingOverflow(step)
      guard !overflow else { return nil }
      value = sum
    }
    return value
  }
}

extension JSONDecimal: Comparable {
  static func < (left: JSONDecimal, right: JSONDecimal) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative ? right.isSmaller(than: left) : left.isSmaller(than: right)
  }

  /// Returns whether the magnitude is smaller, without regard to the sign.
  private func isSmaller(than other: JSONDecimal) -> Bool {
    if isZero || other.isZero { return isZero && !other.isZero }
    if magnitude != other.magnitude { return magnitude < other.magnitude }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}

extension JSONDecimal {
  /// Returns whether this is `other` times an integer.
  func isMultiple(of other: JSONDecimal) -> Bool {
    if isZero || other.isZero { return isZero }
    // The digits don't end in zero, so they can't be a multiple of ten.
    guard exponent >= other.exponent else { return false }
    // Zeros matter only as factors 2 and 5, and n digits contain fewer than 4n of either. More
    // zeros don't change the result.
    let zeros = Int(min(exponent - other.exponent, Int128(4 * other.digits.count)))
    var remainder: [UInt8] = []
    for position in 0..<(digits.count + zeros) {
      remainder.append(position < digits.count ? digits[position] : 0)
      Self.reduce(&remainder, by: other.digits)
    }
    return remainder.isEmpty
  }

  /// One step of long division: subtracts the divisor until the remainder is smaller.
  private static func reduce(_ remainder: inout [UInt8], by divisor: [UInt8]) {
    if remainder.first == 0 { remainder.removeFirst() }
    while remainder.count > divisor.count
      || (remainder.count == divisor.count && !remainder.lexicographicallyPrecedes(divisor))
    {
      subtract(divisor, from: &remainder)
    }
  }

  private static func subtract(_ divisor: [UInt8], from remainder: inout [UInt8]) {
    var borrow: UInt8 = 0
    for step in 1...remainder.count {
      let position = remainder.count - step
      let amount = (step <= divisor.count ? divisor[divisor.count - step] : 0) + borrow
      borrow = remainder[position] < amount ? 1 : 0
      remainder[position] = remainder[position] + borrow * 10 - amount
    }
    let leading = remainder.prefix { $0 == 0 }.count
    remainder.removeFirst(leading)
  }
}
