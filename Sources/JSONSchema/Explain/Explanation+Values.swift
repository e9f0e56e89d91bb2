import AgentJSON
import AgentText

extension Explanation {
  static func type(_ types: TypeSet, subject: Subject, location: ValueLocation) -> Explanation {
    Explanation(
      expected: FoundText.choice(types.phrases), found: FoundText.of(subject.node),
      suggestion: TypeAdvice(types: types, subject: subject, location: location).sentence)
  }

  /// Returns the explanation for a value that isn't one of the listed ones.
  static func values(_ values: [JSONValue], _ node: JSONNode) -> Explanation {
    let expected = values.isEmpty ? "nothing at all" : choice(of: values)
    return Explanation(
      expected: expected, found: FoundText.of(node), suggestion: nearest(to: node, of: values))
  }

  /// Returns a list of the values. It contains only the first ones if there are very many.
  static func choice(of values: [JSONValue]) -> String {
    let shown = values.prefix(12).map { value in
      let text = value.text()
      return text.utf8.count > 80 ? FoundText.of(value) : text
    }
    let more = values.count - shown.count
    return FoundText.choice(shown + (more > 0 ? ["\(more) other values"] : []))
  }

  private static func nearest(to node: JSONNode, of values: [JSONValue]) -> String? {
    if let text = node.string {
      if let bare = try? JSONValue(parsing: text), values.contains(bare) {
        return "Remove the quotes."
      }
      let texts = values.compactMap(\.string)
      let near = NameSuggestion.of(text, among: texts) ?? comparisons[text.lowercased()]
      return near.flatMap { near in
        texts.contains(near) ? "Did you mean \(FoundText.quoted(near))?" : nil
      }
    }
    if node.kind == .array, node.count == 1, let only = node[0], values.contains(only.value) {
      return "Remove the brackets."
    }
    guard node.kind == .number || node.kind == .bool else { return nil }
    let quoted = FoundText.of(node)
    return values.contains(.string(quoted)) ? "Put quotes around it: \"\(quoted)\"." : nil
  }

  /// The words and signs for comparisons in other notations.
  private static let comparisons = [
    "gt": ">", "gte": ">=", "ge": ">=", "≥": ">=", "lt": "<", "lte": "<=", "le": "<=", "≤": "<=",
    "eq": "==", "=": "==", "equals": "==", "ne": "!=", "neq": "!=", "<>": "!=", "≠": "!=",
  ]

  static func multiple(of divisor: JSONNumber, _ number: JSONNumber) -> Explanation {
    Explanation(
      expected: "a multiple of \(divisor.text)", found: number.text,
      suggestion: nearestMultiples(of: divisor, number))
  }

  private static func nearestMultiples(of divisor: JSONNumber, _ number: JSONNumber) -> String? {
    guard let step = divisor.int, let value = number.int, step > 1 else { return nil }
    // No sum of two positive numbers, which may exceed 64 bits.
    let rest = value % step < 0 ? value % step + step : value % step
    let (below, isTooSmall) = value.subtractingReportingOverflow(rest)
    let (above, isTooGreat) = below.addingReportingOverflow(step)
    return isTooSmall || isTooGreat ? nil : "The nearest are \(below) and \(above)."
  }

  static func bound(
    _ bound: NumberBound, number: JSONNumber, subject: Subject, location: ValueLocation
  ) -> Explanation {
    Explanation(
      expected: bound.phrase, found: number.text,
      suggestion: otherUnit(bound, number: number, schema: subject.schema, location: location))
  }

  /// Returns advice for a number that matches in another unit: `60000` seconds were milliseconds,
  /// and 50 was a percentage if at most 1 is allowed.
  private static func otherUnit(
    _ bound: NumberBound, number: JSONNumber, schema: SchemaNode, location: ValueLocation
  ) -> String? {
    let expectedSchema = ExpectedSchema(program: location.program, schema: schema)
    if bound.isUpper, bound.limit == 1, number > 1, number <= 100 {
      let share = JSONNumber(number.double / 100)
      return share.map { "If it is \(number.text) percent, write \($0.text)." }
    }
    guard let unit = UnitHint(key: location.key, notes: expectedSchema.notes),
      let value = number.int,
      value != 0
    else { return nil }
    for other in unit.likelyOthers where (other.factor < unit.factor) == bound.isUpper {
      guard let converted = other.convert(value, to: unit), converted != 0,
        expectedSchema.admits(JSONValue(converted))
      else { continue }
      return "The unit is \(unit.name): \(value) \(other.name) are \(converted)."
    }
    return nil
  }

  static func size(_ bound: SizeBound, size: Int, node: JSONNode) -> Explanation {
    let noun =
      switch bound.measure {
      case .characters: "character"
      case .elements: "element"
      case .keys: "key"
      }
    let amount = "\(bound.limit) \(noun)\(bound.limit == 1 ? "" : "s")"
    let shown = bound.measure == .characters && size > 0 ? " in \(FoundText.of(node))" : ""
    return Explanation(
      expected: "\(bound.isMinimum ? "at least" : "at most") \(amount)",
      found: size == 0 ? "none" : "\(size)\(shown)")
  }

}

extension NumberBound {
  /// The demand as a phrase: `at least 1`.
  var phrase: String {
    switch relation {
    case .minimum: "at least \(limit.text)"
    case .maximum: "at most \(limit.text)"
    case .exclusiveMinimum: "more than \(limit.text)"
    case .exclusiveMaximum: "less than \(limit.text)"
    }
  }

  /// Whether the bound is an upper one.
  fileprivate var isUpper: Bool { relation == .maximum || relation == .exclusiveMaximum }
}
