import AgentJSON
import ECMARegex

extension Evaluation {
  mutating func checkType(_ types: TypeSet, _ subject: Subject) -> Bool {
    if types.isSuperset(of: TypeSet(of: subject.node)) { return true }
    let location = location
    return fail(
      "type", subject: subject, explanation: .type(types, subject: subject, location: location))
  }

  mutating func checkConst(_ value: JSONValue, _ subject: Subject) -> Bool {
    if subject.node.equals(value) { return true }
    return fail("const", subject: subject, explanation: .values([value], subject.node))
  }

  mutating func checkEnumeration(_ choice: ValueChoice, _ subject: Subject) -> Bool {
    if choice.contains(subject.node) { return true }
    return fail("enum", subject: subject, explanation: .values(choice.values, subject.node))
  }

  mutating func checkMultiple(_ divisor: JSONNumber, _ subject: Subject) -> Bool {
    guard let number = subject.node.number, !number.isMultiple(of: divisor) else { return true }
    return fail("multipleOf", subject: subject, explanation: .multiple(of: divisor, number))
  }

  mutating func checkBound(_ bound: NumberBound, _ subject: Subject) -> Bool {
    guard let number = subject.node.number, !bound.admits(number) else { return true }
    let location = location
    return fail(
      bound.relation.rawValue, subject: subject,
      explanation: .bound(bound, number: number, subject: subject, location: location))
  }

  mutating func checkSize(_ bound: SizeBound, _ subject: Subject) -> Bool {
    guard let size = subject.node.size(in: bound.measure) else { return true }
    if bound.isMinimum ? size >= bound.limit : size <= bound.limit { return true }
    return fail(
      bound.keyword, subject: subject, explanation: .size(bound, size: size, node: subject.node))
  }

  mutating func checkPattern(_ pattern: Pattern, _ subject: Subject) -> Bool {
    guard let text = subject.node.string, !matches(pattern, text) else { return true }
    // The pattern took too many steps. Neither result is right, so no failure is reported.
    guard exhaustion == nil else { return false }
    let location = location
    return fail(
      "pattern", subject: subject,
      explanation: .pattern(pattern, text: text, subject: subject, location: location))
  }

  /// Returns whether the pattern matches. If that takes too many steps, the whole check is ended,
  /// because under a `not` neither result would be right.
  mutating func matches(_ pattern: Pattern, _ text: String) -> Bool {
    switch pattern.search(text) {
    case .matches: return true
    case .differs: return false
    case .exhausted:
      exhaustion = .tooMuch(pattern, text)
      return false
    }
  }

  mutating func checkFormat(_ format: Format, _ subject: Subject) -> Bool {
    guard let text = subject.node.string, !format.admits(text) else { return true }
    return fail("format", subject: subject, explanation: .format(format, text))
  }
}

extension JSONNode {
  /// Returns whether the values are equal by the rules of JSON. A value is only built if the kinds
  /// are the same.
  fileprivate func equals(_ other: JSONValue) -> Bool {
    kind == other.kind && value == other
  }

  /// Returns the size for a bound with this measure, or `nil` for another kind of value.
  fileprivate func size(in measure: SizeBound.Measure) -> Int? {
    switch (measure, kind) {
    case (.characters, .string): string.map { $0.unicodeScalars.count }
    case (.elements, .array), (.keys, .object): count
    default: nil
    }
  }
}
