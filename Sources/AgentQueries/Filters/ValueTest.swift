internal import AgentJSON
internal import AgentText

/// The condition of a field's value, ready for many values.
enum ValueTest: Sendable {
  case exists
  case equal(FoldedText, JSONNumber?)
  case exact(String, JSONNumber?)
  case like(WildcardPattern)
  case numbers(JSONNumber?, JSONNumber?)
  case texts(String?, String?)
  case near([Unicode.Scalar], Int)
  /// The condition of `field#`, on the number that the value is or contains as text.
  indirect case asNumber(ValueTest)

  init(_ term: FilterTerm) {
    let test: ValueTest
    switch term.match {
    case .exists: test = .exists
    case .equal(let text): test = .equal(FoldedText(text), JSONNumber(parsing: text.lowercased()))
    case .exact(let text): test = .exact(text, JSONNumber(parsing: text))
    case .like(let pattern): test = .like(WildcardPattern(pattern))
    case .between(.numbers(let lower, let upper)): test = .numbers(lower, upper)
    case .between(.texts(let lower, let upper)): test = .texts(lower, upper)
    case .near(let text, let edits):
      test = .near(Array(text.lowercased().unicodeScalars), edits)
    }
    self = term.isNumber ? .asNumber(test) : test
  }

  /// Returns whether `value` matches. A list matches if one element does. Nothing matches once no
  /// steps are left.
  /// - Parameter steps: the steps that are left. Below 0 there were too few.
  func accepts(_ value: JSONValue, _ steps: inout Int) -> Bool {
    if case .exists = self { return true }
    steps -= Self.stepsOfValue
    guard steps >= 0 else { return false }
    switch value {
    case .string(let text):
      // An equal text has the same length, which is mostly compared first.
      steps -= isEquality ? text.utf8.count / 8 : text.utf8.count
      return steps >= 0 && accepts(text)
    case .number(let number): return accepts(number)
    case .bool(let flag): return accepts(word: flag ? "true" : "false")
    case .null: return accepts(word: "null")
    case .array(let elements):
      for element in elements where accepts(element, &steps) { return true }
      return false
    case .object: return false
    }
  }

  /// The steps of a test without those of a text.
  private static let stepsOfValue = 16

  private var isEquality: Bool {
    switch self {
    case .equal, .exact: true
    case .exists, .like, .numbers, .texts, .near, .asNumber: false
    }
  }

  private func accepts(_ text: String) -> Bool {
    switch self {
    case .exists: true
    case .equal(let wanted, _): wanted.equals(text)
    case .exact(let wanted, _): wanted.utf8.elementsEqual(text.utf8)
    case .like(let pattern): pattern.matches(text)
    case .numbers: false
    case .texts(let lower, let upper): Self.isBetween(text.lowercased(), lower: lower, upper: upper)
    case .near(let wanted, let edits): Self.isNear(text, wanted: wanted, edits: edits)
    case .asNumber(let test):
      if let number = JSONNumber(parsing: text) { test.accepts(number) } else { false }
    }
  }

  private func accepts(_ number: JSONNumber) -> Bool {
    switch self {
    case .exists: true
    case .equal(_, let wanted), .exact(_, let wanted):
      if let wanted { wanted.isSame(as: number) } else { false }
    case .like(let pattern): pattern.matches(number.text)
    case .numbers(let lower, let upper):
      !(lower.map { number.isLess(than: $0) } ?? false)
        && !(upper.map { $0.isLess(than: number) } ?? false)
    case .texts, .near: false
    case .asNumber(let test): test.accepts(number)
    }
  }

  /// Returns whether a text matches. `true`, `false` and `null` are compared as these words.
  private func accepts(word: String) -> Bool {
    switch self {
    case .equal(let wanted, _): wanted.lowered == word
    case .exact(let wanted, _): wanted == word
    case .exists, .like, .numbers, .texts, .near, .asNumber: false
    }
  }

  private static func isBetween(_ text: String, lower: String?, upper: String?) -> Bool {
    let scalars = text.unicodeScalars
    if let lower, scalars.lexicographicallyPrecedes(lower.unicodeScalars) { return false }
    if let upper, upper.unicodeScalars.lexicographicallyPrecedes(scalars) { return false }
    return true
  }

  private static func isNear(_ text: String, wanted: [Unicode.Scalar], edits: Int) -> Bool {
    // A character has at most four bytes, so a text beyond this size can't be near enough.
    guard text.utf8.count <= 4 * (wanted.count + edits) else { return false }
    let scalars = Array(text.lowercased().unicodeScalars)
    return EditDistance.between(wanted, scalars, atMost: edits) != nil
  }
}
