internal import AgentJSON

/// Functions that convert values or return their kind.
extension ScalarFunction {
  static let conversions: [String: ScalarFunction] = [
    "number": .one { value in
      switch value {
      case .number: value
      case .string(let text): JSONNumber(parsing: text).map { .number($0) } ?? .null
      case .null, .bool, .array, .object: .null
      }
    },
    "string": ScalarFunction.one { $0.asText.map { .string($0) } ?? .null }.costing(2).bounded(),
    "boolean": .one { value in
      switch value {
      case .bool: value
      case .string("true"): true
      case .string("false"): false
      case .string, .null, .number, .array, .object: .null
      }
    },
    // Each value has the right form already, so these functions change nothing.
    "object": ScalarFunction.one { $0 }.costing(0),
    "const": ScalarFunction.one { $0 }.costing(0),
    "seq": ScalarFunction.one { value in
      if case .array = value { value } else { .null }
    }.costing(0),
    "map": ScalarFunction.one { value in
      if case .object = value { value } else { .null }
    }.costing(0),
    // Each time it is applied it doubles the backslashes of a text.
    "json": ScalarFunction.one { .string($0.text()) }.costing(2).bounded(),
    "parsejson": ScalarFunction.one { value in
      guard case .string(let text) = value else { return .null }
      return (try? JSONValue(parsing: text)) ?? .null
    }.costing(8),
    "typeof": ScalarFunction.one { value in
      switch value {
      case .null: "null"
      case .bool: "boolean"
      case .number: "number"
      case .string: "string"
      case .array: "seq"
      case .object: "map"
      }
    }.costing(0),
  ]
}
