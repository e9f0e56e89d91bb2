internal import AgentJSON

extension JSONNumber {
  /// Returns whether both are the same number. Numbers with different nearest doubles are
  /// different. This decides most cases without a comparison of digits.
  func isSame(as other: JSONNumber) -> Bool { double == other.double && self == other }

  /// Returns whether this number is smaller. See ``isSame(as:)``.
  func isLess(than other: JSONNumber) -> Bool {
    let (left, right) = (double, other.double)
    return left == right ? self < other : left < right
  }
}

extension JSONValue {
  /// The value as a number: a number, or a text with one.
  var asNumber: JSONNumber? {
    switch self {
    case .number(let number): number
    case .string(let text): JSONNumber(parsing: text)
    default: nil
    }
  }
}
