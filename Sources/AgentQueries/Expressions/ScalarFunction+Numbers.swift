internal import AgentJSON
internal import Glibc

/// Functions of numbers. They return null for other values and for results that aren't numbers.
extension ScalarFunction {
  static let numbers: [String: ScalarFunction] = [
    "abs": .one { value in
      guard case .number(let number) = value else { return .null }
      return number.double < 0 ? Arithmetic.negated(number) : value
    },
    "sign": .number { $0 > 0 ? 1 : $0 < 0 ? -1 : 0 },
    "ceil": .one { value in
      guard case .number(let number) = value else { return .null }
      return Arithmetic.great(value).map { JSONValue($0) }
        ?? Arithmetic.number(number.double.rounded(.up))
    },
    "sqrt": .number { $0.squareRoot() },
    "exp": .number { Glibc.exp($0) },
    "log": .number { Glibc.log($0) },
    "log10": .number { Glibc.log10($0) },
    "sin": .number { Glibc.sin($0) },
    "cos": .number { Glibc.cos($0) },
    "tan": .number { Glibc.tan($0) },
    "atan": .number { Glibc.atan($0) },
    "pow": .two { base, exponent in
      guard let base = base.double, let exponent = exponent.double else { return .null }
      return Arithmetic.number(Glibc.pow(base, exponent))
    },
    "pi": ScalarFunction(0...0) { _ in Arithmetic.number(.pi) },
    "round": ScalarFunction(1...2) { arguments in
      guard let value = arguments[0].double else { return .null }
      guard arguments.count == 2 else {
        return Arithmetic.great(arguments[0]).map { JSONValue($0) }
          ?? Arithmetic.number(value.rounded(.toNearestOrAwayFromZero))
      }
      guard let digits = arguments[1].int, (-15...15).contains(digits) else { return .null }
      if let integer = Arithmetic.great(arguments[0]), let result = rounded(integer, digits) {
        return result
      }
      return Arithmetic.number(rounded(value, digits))
    },
    "floor": ScalarFunction(1...2) { arguments in
      guard let value = arguments[0].double else { return .null }
      guard arguments.count == 2 else {
        return Arithmetic.great(arguments[0]).map { JSONValue($0) }
          ?? Arithmetic.number(value.rounded(.down))
      }
      guard let step = arguments[1].double, step > 0 else { return .null }
      if let integer = Arithmetic.great(arguments[0]), let step = arguments[1].int,
        let result = floored(integer, to: step)
      {
        return result
      }
      return Arithmetic.number((value / step).rounded(.down) * step)
    },
    "min": ScalarFunction(2...64) { extreme($0, .less) },
    "max": ScalarFunction(2...64) { extreme($0, .greater) },
  ]

  private static func number(_ body: @escaping @Sendable (Double) -> Double) -> ScalarFunction {
    .one { value in
      guard case .number(let number) = value else { return .null }
      return Arithmetic.number(body(number.double))
    }
  }

  /// Rounds to `digits` decimals. Halves are rounded away from zero.
  private static func rounded(_ value: Double, _ digits: Int) -> Double {
    let factor = Glibc.pow(10, Double(abs(digits)))
    let scaled = digits < 0 ? value / factor : value * factor
    // Above 2^53 there are no decimals to round, and the product may be infinite.
    guard scaled.magnitude < 0x1p53 else { return value }
    let whole = scaled.rounded(.toNearestOrAwayFromZero)
    return digits < 0 ? whole * factor : whole / factor
  }

  /// Rounds an integer to `digits` digits. Halves are rounded away from zero. Returns nil if the
  /// result exceeds 64 bits.
  private static func rounded(_ value: Int, _ digits: Int) -> JSONValue? {
    guard digits < 0 else { return JSONValue(value) }
    var factor = 1
    // 10^18 is the greatest power of ten in 64 bits.
    for _ in 0..<min(-digits, 18) { factor &*= 10 }
    let rest = value % factor
    let step = rest.magnitude >= factor.magnitude - rest.magnitude ? factor * rest.signum() : 0
    let (result, overflow) = (value - rest).addingReportingOverflow(step)
    return overflow ? nil : JSONValue(result)
  }

  /// Returns the greatest multiple of the positive `step` that isn't above an integer. Nil means
  /// that it exceeds 64 bits.
  private static func floored(_ value: Int, to step: Int) -> JSONValue? {
    let rest = value % step
    let (result, overflow) = value.subtractingReportingOverflow(rest < 0 ? rest + step : rest)
    return overflow ? nil : JSONValue(result)
  }

  /// Returns the least or greatest of values of one kind, without nulls.
  private static func extreme(_ values: [JSONValue], _ operation: BinaryOperator) -> JSONValue {
    var best = JSONValue.null
    for value in values where !value.isNull {
      guard !best.isNull else {
        best = value
        continue
      }
      guard let isBetter = Comparison.apply(operation, left: value, right: best) else {
        return .null
      }
      if isBetter { best = value }
    }
    return best
  }
}
