internal import AgentJSON

/// The order of values: numbers by their value, texts by code points, false before true.
///
/// Values of different kinds, nulls, lists and objects have no order.
enum Comparison {
  static func apply(_ operation: BinaryOperator, left: JSONValue, right: JSONValue) -> Bool? {
    switch (left, right) {
    case (.number(let left), .number(let right)): apply(operation, left: left, right: right)
    case (.string(let left), .string(let right)):
      holds(
        operation, isLess: left.utf8.lexicographicallyPrecedes(right.utf8),
        isMore: right.utf8.lexicographicallyPrecedes(left.utf8))
    case (.bool(let left), .bool(let right)):
      holds(operation, isLess: !left && right, isMore: left && !right)
    default: nil
    }
  }

  static func apply(_ operation: BinaryOperator, left: JSONNumber, right: JSONNumber) -> Bool {
    let (x, y) = (left.double, right.double)
    if x != y { return holds(operation, isLess: x < y, isMore: y < x) }
    return holds(operation, isLess: left < right, isMore: right < left)
  }

  private static func holds(_ operation: BinaryOperator, isLess: Bool, isMore: Bool) -> Bool {
    switch operation {
    case .less: isLess
    case .lessOrEqual: !isMore
    case .greater: isMore
    default: !isLess
    }
  }

  /// Returns whether both are the same JSON value. Null equals only null.
  static func equal(_ left: JSONValue, _ right: JSONValue) -> Bool {
    if case .number(let left) = left, case .number(let right) = right {
      return left.isSame(as: right)
    }
    return left == right
  }
}
