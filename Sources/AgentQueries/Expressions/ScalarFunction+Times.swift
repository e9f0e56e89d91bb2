internal import AgentJSON

/// Functions of moments, which are Unix milliseconds. Dates are in UTC.
extension ScalarFunction {
  static let times: [String: ScalarFunction] = [
    "timestamp": .moment { .number(JSONNumber(integerLiteral: $0)) },
    "year": .part { $0.year },
    "month": .part { $0.month },
    "day": .part { $0.day },
    "hour": .part { $0.millisecondOfDay / 3_600_000 },
    "minute": .part { $0.millisecondOfDay / 60_000 % 60 },
    "second": .part { $0.millisecondOfDay / 1_000 % 60 },
    "weekday": .part { $0.weekday },
    "formatdate": ScalarFunction(1...2) { arguments in
      guard let date = date(of: arguments[0]) else { return .null }
      guard arguments.count == 2 else { return .string(date.iso) }
      return arguments[1].string.map { .string(date.formatted($0)) } ?? .null
    },
    "parsedate": .one { value in
      guard let moment = value.string.flatMap(CivilTime.moment) else { return .null }
      return .number(JSONNumber(integerLiteral: moment))
    },
  ]

  private static func part(_ body: @escaping @Sendable (CivilTime) -> Int) -> ScalarFunction {
    .one { value in
      guard let date = date(of: value) else { return .null }
      return .number(JSONNumber(integerLiteral: Int64(body(date))))
    }
  }

  private static func date(of value: JSONValue) -> CivilTime? {
    guard let moment = value.double?.rounded(.down),
      moment.magnitude <= Double(CivilTime.furthest)
    else { return nil }
    return Int64(exactly: moment).flatMap(CivilTime.init)
  }

  /// Returns the start of the calendar period of a moment.
  static func floor(_ moment: JSONValue, _ period: QueryPeriod) -> JSONValue {
    guard let start = date(of: moment)?.floored(period.amount, period.unit) else { return .null }
    return .number(JSONNumber(integerLiteral: start))
  }
}
