import AgentJSON

extension Explanation {
  static func type(_ types: TypeSet, _ subject: Subject, _ spot: Spot) -> Explanation {
    Explanation(
      expected: FoundText.choice(types.phrases), found: FoundText.of(subject.node),
      suggestion: TypeAdvice(types: types, subject: subject, spot: spot).sentence)
  }

  /// One of a list of values, or exactly one.
  static func values(_ values: [JSONValue], _ node: JSONNode) -> Explanation {
    let expected = values.isEmpty ? "nothing at all" : choice(of: values)
    return Explanation(
      expected: expected, found: FoundText.of(node), suggestion: nearest(to: node, of: values))
  }

  /// Values as a choice; of very many only the first.
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
      let near = LikelyName.of(text, among: values.compactMap(\.string))
      return near.map { "Did you mean \(FoundText.quoted($0))?" }
    }
    guard node.kind == .number || node.kind == .bool else { return nil }
    let quoted = FoundText.of(node)
    return values.contains(.string(quoted)) ? "Put quotes around it: \"\(quoted)\"." : nil
  }

  static func multiple(of divisor: JSONNumber, _ number: JSONNumber) -> Explanation {
    Explanation(
      expected: "a multiple of \(divisor.text)", found: number.text,
      suggestion: nearestMultiples(of: divisor, number))
  }

  private static func nearestMultiples(of divisor: JSONNumber, _ number: JSONNumber) -> String? {
    guard let step = divisor.int, let value = number.int, step > 1 else { return nil }
    let rest = (value % step + step) % step
    let (below, isTooSmall) = value.subtractingReportingOverflow(rest)
    let (above, isTooGreat) = below.addingReportingOverflow(step)
    return isTooSmall || isTooGreat ? nil : "The nearest are \(below) and \(above)."
  }

  static func bound(
    _ bound: NumberBound, _ number: JSONNumber, _ subject: Subject, _ spot: Spot
  ) -> Explanation {
    let limit = bound.limit.text
    let expected =
      switch bound.relation {
      case .minimum: "at least \(limit)"
      case .maximum: "at most \(limit)"
      case .exclusiveMinimum: "more than \(limit)"
      case .exclusiveMaximum: "less than \(limit)"
      }
    return Explanation(
      expected: expected, found: number.text,
      suggestion: otherUnit(bound, number, subject.schema, spot))
  }

  /// A number that fits once it is taken for a thousandth of the key's unit: `60000` seconds were
  /// milliseconds.
  private static func otherUnit(
    _ bound: NumberBound, _ number: JSONNumber, _ schema: SchemaNode, _ spot: Spot
  ) -> String? {
    guard let unit = UnitHint(key: spot.key, notes: schema.notes), unit.factor == 1000,
      unit.dimension == .time, let value = number.int, value.isMultiple(of: 1000),
      value != 0, schema.admits(JSONNumber(value / 1000))
    else { return nil }
    return "The unit is seconds: \(value) milliseconds are \(value / 1000)."
  }

  static func size(_ bound: SizeBound, _ size: Int, _ node: JSONNode) -> Explanation {
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

  static func pattern(_ pattern: Pattern, _ text: String, _ notes: SchemaNotes) -> Explanation {
    let note = (notes.title ?? notes.description.map(firstSentence)).map { " (\($0))" } ?? ""
    return Explanation(
      expected: "a string that matches \(pattern.text)\(note)", found: FoundText.quoted(text),
      suggestion: repaired(text, pattern).map { "Write \(FoundText.quoted($0))." })
  }

  /// The text with the usual slips undone, where it matches then.
  private static func repaired(_ text: String, _ pattern: Pattern) -> String? {
    guard text.utf8.count <= 200 else { return nil }
    let trimmed = String(
      text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace)
        .reversed())
    let candidates = [trimmed, trimmed.lowercased(), trimmed.uppercased()].flatMap { base in
      [base]
        + ["_", "-"].map { mark in
          String(base.map { $0 == " " || $0 == "-" || $0 == "_" ? Character(mark) : $0 })
        }
    }
    return candidates.first { !$0.isEmpty && $0 != text && pattern.matches($0) }
  }

  static func format(_ format: Format, _ text: String) -> Explanation {
    Explanation(expected: format.phrase, found: FoundText.quoted(text))
  }
}

extension SchemaNode {
  /// Whether a number is inside all bounds.
  fileprivate func admits(_ number: JSONNumber) -> Bool {
    keywords.allSatisfy { keyword in
      if case .bound(let bound) = keyword { bound.admits(number) } else { true }
    }
  }
}
