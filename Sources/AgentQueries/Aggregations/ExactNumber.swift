internal import AgentJSON

/// A JSON number as arithmetic takes it: an integer where it is one of 64 bits, else the nearest
/// double.
enum ExactNumber {
  case integer(Int64)
  case double(Double)

  /// The number of a value; nil for what isn't one.
  init?(_ value: JSONValue) {
    guard case .number(let number) = value else { return nil }
    self.init(number)
  }

  init(_ number: JSONNumber) {
    let double = number.double
    // Below 2^53 a double is the number itself; beyond, only the written form tells.
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
