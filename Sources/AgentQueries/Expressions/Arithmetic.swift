internal import AgentJSON

/// Arithmetic on numbers. Integers are exact while they fit into 64 bits. Other results are the
/// nearest double.
///
/// A result that isn't a number is null, such as a division by zero or an overflow of the doubles.
enum Arithmetic {
  /// Doubles represent all integers below this number, so their sums and products are exact.
  private static let exact = 0x1p53

  /// Returns an integer of 64 bits that a double may not represent. Nil means any other value.
  static func great(_ value: JSONValue) -> Int? {
    guard case .number(let number) = value, number.double.magnitude >= exact else { return nil }
    return number.int
  }

  static func number(_ value: Double) -> JSONValue {
    if value.magnitude < exact {
      // `rounded()` would call the C library.
      let whole = Int64(value)
      if Double(whole) == value { return .number(JSONNumber(integerLiteral: whole)) }
    }
    return JSONNumber(value).map { .number($0) } ?? .null
  }

  static func apply(
    _ operation: BinaryOperator, left: JSONNumber, right: JSONNumber
  ) -> JSONValue {
    let (x, y) = (left.double, right.double)
    let isSmall = x.magnitude < exact && y.magnitude < exact
    switch operation {
    case .plus:
      if isSmall, (x + y).magnitude < exact { return number(x + y) }
      return integers(left, right, body: { $0.addingReportingOverflow($1) }) ?? number(x + y)
    case .minus:
      if isSmall, (x - y).magnitude < exact { return number(x - y) }
      return integers(left, right, body: { $0.subtractingReportingOverflow($1) }) ?? number(x - y)
    case .times:
      if isSmall, (x * y).magnitude < exact { return number(x * y) }
      return integers(left, right, body: { $0.multipliedReportingOverflow(by: $1) })
        ?? number(x * y)
    case .divide:
      guard y != 0 else { return .null }
      return (isSmall ? nil : quotient(left, right)) ?? number(x / y)
    case .remainder:
      guard y != 0 else { return .null }
      let exact =
        isSmall ? nil : integers(left, right) { $0.remainderReportingOverflow(dividingBy: $1) }
      return exact ?? number(x.truncatingRemainder(dividingBy: y))
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .and, .or, .otherwise:
      return .null
    }
  }

  private static func integers(
    _ left: JSONNumber, _ right: JSONNumber, body: (Int, Int) -> (Int, overflow: Bool)
  ) -> JSONValue? {
    guard let left = left.int, let right = right.int else { return nil }
    let (value, overflow) = body(left, right)
    return overflow ? nil : .number(JSONNumber(integerLiteral: Int64(value)))
  }

  /// Returns the quotient of two integers without remainder. Nil means that it is a fraction.
  private static func quotient(_ left: JSONNumber, _ right: JSONNumber) -> JSONValue? {
    guard let x = left.int, let y = right.int, y != 0,
      x.remainderReportingOverflow(dividingBy: y).partialValue == 0
    else { return nil }
    return integers(left, right) { $0.dividedReportingOverflow(by: $1) }
  }

  static func negated(_ number: JSONNumber) -> JSONValue {
    apply(.minus, left: 0, right: number)
  }
}
