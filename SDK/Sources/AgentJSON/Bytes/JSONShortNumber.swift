/// A number of up to 18 digits without an exponent: its digits and the position of the point.
/// Nearly all numbers have this form. Reading them needs neither a string nor a library.
struct JSONShortNumber {
  let isNegative: Bool
  /// All digits, read as one integer.
  let digits: UInt64
  /// The number of written digits.
  private let count: Int
  /// The number of digits after the point.
  let places: Int

  /// Reads a valid JSON number. Returns `nil` if it isn't a short one.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    isNegative = text.first == .minus
    var digits: UInt64 = 0
    var point: Int?
    for position in (isNegative ? 1 : 0)..<text.count {
      let digit = text[position] &- .zero
      if digit < 10 {
        digits = digits &* 10 &+ UInt64(digit)
      } else if text[position] == .point {
        point = position
      } else {
        return nil
      }
    }
    self.digits = digits
    places = point.map { text.count - $0 - 1 } ?? 0
    count = text.count - (isNegative ? 1 : 0) - (point == nil ? 0 : 1)
    guard count <= 18 else { return nil }
  }

  /// The value, if it has no fraction.
  var int: Int64? {
    places > 0 ? nil : isNegative ? -Int64(digits) : Int64(digits)
  }

  /// The nearest double, if the division of two integers that doubles represent exactly gives it.
  var double: Double? {
    guard digits <= 1 << 53 else { return nil }
    let value = Double(digits) / Self.power(places)
    return isNegative ? -value : value
  }

  /// Whether a double has the same text: it has at most as many digits as every double keeps, none
  /// of them redundant, and isn't so small that it would get an exponent.
  var isWrittenAsDouble: Bool {
    guard places > 0, count <= 15, places == 1 || digits % 10 != 0 else { return false }
    return digits == 0 || Double(digits) >= Self.power(places - 4)
  }

  /// 10 to the power of `exponent`, or 1: up to 10²² exactly.
  private static func power(_ exponent: Int) -> Double {
    var power = 1.0
    for _ in 0..<max(exponent, 0) { power *= 10 }
    return power
  }
}
