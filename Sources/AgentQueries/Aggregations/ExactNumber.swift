internal import AgentJSON

/// A JSON number in the form for arithmetic: an integer of 64 bits if possible, otherwise the
/// nearest double.
enum ExactNumber {
  case integer(Int64)
  case double(Double)

  /// Reads a number. Nil means that the value isn't one.
  init?(_ value: JSONValue) {
    guard case .number(let number) = value else { return nil }
    self.init(number)
  }

  init(_ number: JSONNumber) {
    let double = number.double
    // Below 2^53 the double is exact. Above it only the written form is.
    if double.magnitude < 0x1p53 {
      let integer = Int64(double)
      self = Double(integer) == double ? .integer(integer) : .double(double)
    } else if let integer: Int64 = number.integer() {
      self = .integer(integer)
    } else {
      self = .double(double)
    }
  }

  var double: Double {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    }
  }
}
