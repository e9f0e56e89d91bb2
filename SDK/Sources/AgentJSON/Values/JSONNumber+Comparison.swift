extension JSONNumber: Hashable, Comparable {
  /// Whether both are the same number, however they are written.
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    switch (left.storage, right.storage) {
    case (.int(let left), .int(let right)): left == right
    case (.uint(let left), .uint(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    default: left.decimal == right.decimal
    }
  }

  /// Whether the left number is the smaller one.
  public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
    switch (left.storage, right.storage) {
    case (.int(let left), .int(let right)): left < right
    case (.uint(let left), .uint(let right)): left < right
    case (.double(let left), .double(let right)): left < right
    default: left.decimal < right.decimal
    }
  }

  /// Equal numbers feed equal values.
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

  /// Whether this is `other` times an integer, without rounding; nothing but zero is a multiple of
  /// zero.
  public func isMultiple(of other: JSONNumber) -> Bool {
    if case .int(let left) = storage, case .int(let right) = other.storage {
      return left.isMultiple(of: right)
    }
    return decimal.isMultiple(of: other.decimal)
  }

  /// The number as digits and a power of ten, in which every JSON number is exact.
  var decimal: JSONDecimal {
    switch storage {
    case .int(let value): JSONDecimal(String(value))
    case .uint(let value): JSONDecimal(String(value))
    case .double(let value): JSONDecimal(value.description)
    case .text(let text): JSONDecimal(text)
    }
  }
}
