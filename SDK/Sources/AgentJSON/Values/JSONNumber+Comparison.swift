extension JSONNumber: Hashable, Comparable {
  /// Returns whether both are the same number, in any notation.
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    switch (left.storage, right.storage) {
    case (.int(let left), .int(let right)): left == right
    case (.uint(let left), .uint(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    default: left.decimal == right.decimal
    }
  }

  /// Returns whether `left` is smaller.
  public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
    switch (left.storage, right.storage) {
    case (.int(let left), .int(let right)): left < right
    case (.uint(let left), .uint(let right)): left < right
    case (.double(let left), .double(let right)): left < right
    default: left.decimal < right.decimal
    }
  }

  /// Feeds equal values for equal numbers.
  public func hash(into hasher: inout Hasher) {
    // Equal numbers have the same nearest double, and computing digits is slow. Only large integers
    // would often share a double.
    let double = double
    if double.magnitude < 0x1p53 {
      hasher.combine(double)
    } else if let int: Int64 = integer() {
      hasher.combine(int)
    } else {
      hasher.combine(decimal)
    }
  }

  /// Returns whether this is `other` times an integer, without rounding. Only zero is a multiple of
  /// zero.
  public func isMultiple(of other: JSONNumber) -> Bool {
    if case .int(let left) = storage, case .int(let right) = other.storage {
      return left.isMultiple(of: right)
    }
    return decimal.isMultiple(of: other.decimal)
  }

  /// The number as digits and a power of ten, which is exact for every JSON number.
  var decimal: JSONDecimal {
    switch storage {
    case .int(let value): JSONDecimal(String(value))
    case .uint(let value): JSONDecimal(String(value))
    case .double(let value): JSONDecimal(value.description)
    case .text(let text): JSONDecimal(text)
    }
  }
}
