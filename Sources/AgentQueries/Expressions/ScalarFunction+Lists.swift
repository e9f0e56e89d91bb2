internal import AgentJSON

/// Functions of lists and objects.
extension ScalarFunction {
  static let lists: [String: ScalarFunction] = [
    "length": .one { value in
      switch value {
      case .string(let text): .number(JSONNumber(integerLiteral: Int64(text.unicodeScalars.count)))
      case .array(let elements): .number(JSONNumber(integerLiteral: Int64(elements.count)))
      case .object(let object): .number(JSONNumber(integerLiteral: Int64(object.count)))
      case .null, .bool, .number: .null
      }
    },
    "contains": .two { base, part in
      switch (base, part) {
      case (.string(let text), .string(let part)): .bool(TextSearch.contains(part, in: text))
      case (.array(let elements), _):
        .bool(elements.contains { Comparison.equal($0, part) })
      default: .null
      }
    },
    "in": ScalarFunction(2...64) { arguments in
      .bool(arguments.dropFirst().contains { Comparison.equal($0, arguments[0]) })
    },
    "get": ScalarFunction(2...3) { arguments in
      let other = arguments.count == 3 ? arguments[2] : .null
      switch (arguments[0], arguments[1]) {
      case (.object(let object), .string(let key)): return object[key] ?? other
      case (.array(let elements), .number(let number)):
        guard let index = number.int, elements.indices.contains(index) else { return other }
        return elements[index]
      default: return other
      }
    }.costing(0),
    "keys": .object { .array($0.keys.map { .string($0) }) },
    "values": .object { .array($0.values) },
    "reverse": .list { .array($0.reversed()) },
    "distinct": ScalarFunction.list { elements in
      var seen: Set<JSONValue> = []
      return .array(elements.filter { seen.insert($0).inserted })
    }.costing(8),
    "slice": ScalarFunction(2...3) { arguments in
      guard case .array(let elements) = arguments[0], let start = arguments[1].int,
        let end = arguments.count == 3 ? arguments[2].int : .max
      else { return .null }
      let (first, last) = (max(0, start), max(0, end))
      return .array(Array(elements.dropFirst(first).prefix(max(0, last - first))))
    },
    "join": .two { list, separator in
      guard case .array(let elements) = list, case .string(let separator) = separator else {
        return .null
      }
      let texts = elements.compactMap(\.asText)
      let size = texts.reduce(0) { $0 + $1.utf8.count + separator.utf8.count }
      return size <= TextSearch.longest ? .string(texts.joined(separator: separator)) : .null
    },
    "range": ScalarFunction(1...2) { arguments in
      let first = arguments.count == 2 ? arguments[0].int : 0
      guard let first, let end = arguments[arguments.count - 1].int,
        (0...1_000).contains(end.subtractingReportingOverflow(first).partialValue), end >= first
      else { return .null }
      return .array((first..<end).map { .number(JSONNumber(integerLiteral: Int64($0))) })
    },
    "newmap": ScalarFunction(0...64) { arguments in
      var object = JSONObject()
      for index in stride(from: 0, to: arguments.count - 1, by: 2) {
        guard let key = arguments[index].asText else { return .null }
        object[key] = arguments[index + 1]
      }
      guard arguments.count.isMultiple(of: 2) else { return .null }
      return .object(object)
    }.costing(0).bounded(),
  ]

  private static func list(
    _ body: @escaping @Sendable ([JSONValue]) -> JSONValue
  ) -> ScalarFunction {
    .one { value in
      if case .array(let elements) = value { body(elements) } else { .null }
    }
  }

  private static func object(
    _ body: @escaping @Sendable (JSONObject) -> JSONValue
  ) -> ScalarFunction {
    .one { value in
      if case .object(let object) = value { body(object) } else { .null }
    }
  }
}
