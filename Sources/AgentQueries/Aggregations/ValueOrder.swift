internal import AgentJSON

/// The order of values for `min`, `max` and sorting: null, false, true, numbers by value, texts by
/// code points, lists, objects.
enum ValueOrder {
  /// Returns whether `left` is before `right`. Lists are compared element by element. All objects
  /// have the same rank.
  static func precedes(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left.isLess(than: right)
    case (.string(let left), .string(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.bool(let left), .bool(let right)): !left && right
    case (.array(let left), .array(let right)):
      left.lexicographicallyPrecedes(right, by: precedes)
    default: rank(left) < rank(right)
    }
  }

  private static func rank(_ value: JSONValue) -> Int {
    switch value {
    case .null: 0
    case .bool: 1
    case .number: 2
    case .string: 3
    case .array: 4
    case .object: 5
    }
  }
}
