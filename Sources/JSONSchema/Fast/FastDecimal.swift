/// A number as mantissa × 10^exponent with at most 18 digits, so that nothing is rounded. Most
/// numbers in documents have this form. `JSONNumber` compares the others.
struct FastDecimal {
  var mantissa: Int64
  var exponent: Int

  /// Reads a number of the JSON grammar. Returns `nil` if it has too many digits.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    var value: Int64 = 0
    var digits = 0
    var scale = 0
    var isFraction = false
    var index = text.first == UInt8(ascii: "-") ? 1 : 0
    while index < text.count {
      let byte = text[index]
      if byte | 0x20 == UInt8(ascii: "e") {
        guard let power = Self.power(text[(index + 1)...]) else { return nil }
        scale += power
        break
      }
      index += 1
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      // Leading zeros take no digit of the mantissa.
      if digits > 0 || byte != UInt8(ascii: "0") { digits += 1 }
      // Int64 holds every number of 18 digits, so the sums below can't overflow.
      guard digits <= 18 else { return nil }
      value = value &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
      if isFraction { scale -= 1 }
    }
    mantissa = text.first == UInt8(ascii: "-") ? -value : value
    exponent = scale
    dropZeros()
  }

  private mutating func dropZeros() {
    // 5.0 becomes 5, and 0.0 becomes 0, because `isInteger` tests only the exponent.
    if mantissa == 0 { exponent = 0 }
    while exponent < 0, mantissa % 10 == 0, mantissa != 0 {
      mantissa /= 10
      exponent += 1
    }
  }

  private static func power(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    var value = 0
    for byte in text where byte &- UInt8(ascii: "0") < 10 {
      // The limit is far beyond the numbers that `aligned` can compare, and small enough for sums
      // of exponents.
      guard value < 1000 else { return nil }
      value = value * 10 + Int(byte &- UInt8(ascii: "0"))
    }
    return text.first == UInt8(ascii: "-") ? -value : value
  }

  /// Reads an integer of up to 18 digits. Returns `nil` for a longer one.
  @inline(__always)
  static func integer(_ text: UnsafePointer<UInt8>, count: Int) -> Int64? {
    let isNegative = text[0] == UInt8(ascii: "-")
    var index = isNegative ? 1 : 0
    // At most 18 digits, as above. The loop has no overflow checks, because it runs for nearly
    // every integer of a document.
    guard count &- index <= 18 else { return nil }
    var value: Int64 = 0
    while index < count {
      value = value &* 10 &+ Int64(text[index] &- UInt8(ascii: "0"))
      index &+= 1
    }
    return isNegative ? 0 &- value : value
  }

  var isInteger: Bool { exponent >= 0 }

  /// Returns both mantissas at the smaller exponent, or `nil` on overflow.
  static func aligned(_ left: FastDecimal, _ right: FastDecimal) -> (Int64, Int64)? {
    if left.exponent < right.exponent {
      return aligned(right, left).map { ($0.1, $0.0) }
    }
    let distance = left.exponent - right.exponent
    // 10^19 doesn't fit into Int64.
    guard distance <= 18 else { return nil }
    var mantissa = left.mantissa
    for _ in 0..<distance {
      let (product, tooLarge) = mantissa.multipliedReportingOverflow(by: 10)
      if tooLarge { return nil }
      mantissa = product
    }
    return (mantissa, right.mantissa)
  }

  /// The largest integer that isn't greater. `nil` beyond Int64.
  var floor: Int64? {
    guard exponent < 0 else { return whole }
    guard let (value, one) = Self.aligned(self, FastDecimal(1)) else { return nil }
    // Division rounds towards zero, but a negative number must be rounded down.
    return value >= 0 ? value / one : -((one - 1 - value) / one)
  }

  private var whole: Int64? {
    Self.aligned(self, FastDecimal(1))?.0
  }

  private init(_ integer: Int64) {
    mantissa = integer
    exponent = 0
  }
}
