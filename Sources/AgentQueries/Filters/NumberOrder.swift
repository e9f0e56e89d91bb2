internal import AgentJSON

extension JSONNumber {
  /// Whether both are the same number. Numbers whose nearest doubles differ are different, which
  /// settles most cases without taking the numbers' digits apart.
  func isSame(as other: JSONNumber) -> Bool { double == other.double && self == other }

  /// Whether this is the smaller one; see ``isSame(as:)``.
  func isLess(than other: JSONNumber) -> Bool {
    let (left, right) = (double, other.double)
    return left == right ? self < other : left < right
  }
}

extension JSONValue {
  /// The value as a number: a number, or a text that writes one.
  var asNumber: JSONNumber? {
    switch self {
    case .number(let number): number
    case .string(let text): JSONNumber(parsing: text)
    default: nil
    }
  }
}
