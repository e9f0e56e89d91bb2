internal import AgentJSON

/// The order of values: numbers by their value, texts by code points, false before true.
///
/// Values of different kinds, nulls, lists and objects have no order.
enum Comparison {
  static func apply(_ operation: BinaryOperator, _ left: JSONValue, _ right: JSONValue) -> Bool? {
    switch (left, right) {
    case (.number(let left), .number(let right)): apply(operation, left, right)
    case (.string(let left), .string(let right)):
      holds(
        operation, left.utf8.lexicographicallyPrecedes(right.utf8),
        right.utf8.lexicographicallyPrecedes(left.utf8))
    case (.bool(let left), .bool(let right)): holds(operation, !left && right, left && !right)
    default: nil
    }
  }

  static func apply(_ operation: BinaryOperator, _ left: JSONNumber, _ right: JSONNumber) -> Bool {
    let (x, y) = (left.double, right.double)
    if x != y { return holds(operation, x < y, y < x) }
    return holds(operation, left < right, right < left)
  }

  private static func holds(_ operation: BinaryOperator, _ isLess: Bool, _ isMore: Bool) -> Bool {
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
