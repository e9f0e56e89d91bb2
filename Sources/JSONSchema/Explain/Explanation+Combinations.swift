import AgentJSON
import ECMARegex

extension Explanation {
  static let tooDeep = Explanation(
    expected: "a value that is nested less deeply", found: "one too deep to be checked")

  static let tooMuch = Explanation(
    expected: "a value that can be checked in reasonable time",
    found: "one for which the schema takes too many steps")

  /// Returns the explanation for a check that ended early.
  static func incomplete(fits: Bool, tellsSome: Bool) -> Explanation {
    let reason = "the schema comes back to the same value too often"
    var explanation = Explanation(
      expected: "a value that can be explained in reasonable time",
      found: "one for which \(reason)",
      suggestion: fits || !tellsSome ? nil : "Correct these problems, and check again.",
      lead: fits || tellsSome
        ? "this list is incomplete: \(reason)"
        : "the value doesn't fit, and the list of reasons is incomplete: \(reason)")
    if fits { explanation.severity = .warning }
    return explanation
  }

  /// Returns the explanation for a list that was cut at the limit.
  static func cut(after limit: Int) -> Explanation {
    Explanation(
      expected: "a value with fewer problems", found: "one with more than \(limit)",
      suggestion: "Correct them, and check again.",
      lead: "these are the first \(limit) problems; there are more")
  }

  /// Returns the explanation for a pattern whose search was ended early.
  static func tooMuch(_ pattern: Pattern, _ text: String) -> Explanation {
    Explanation(
      expected: "a text that can be matched against \(pattern.text) in reasonable time",
      found: "\(FoundText.quoted(text)), for which the pattern took too many steps")
  }

  static func repeated(_ value: JSONValue, _ first: Int) -> Explanation {
    let text = value.text()
    let shown = text.utf8.count > 80 ? FoundText.of(value) : text
    return Explanation(
      expected: "elements that all differ", found: "\(shown), the same as [\(first)]",
      suggestion: "Remove one of them.")
  }

  static func contains(_ what: String, atLeast least: Int, _ count: Int) -> Explanation {
    Explanation(
      expected: "at least \(least) element\(least == 1 ? "" : "s") fitting \(what)",
      found: count == 0 ? "none" : "\(count)")
  }

  static func contains(_ what: String, atMost most: Int, _ count: Int) -> Explanation {
    Explanation(
      expected: "at most \(most) element\(most == 1 ? "" : "s") fitting \(what)",
      found: "\(count)")
  }

  /// Returns the explanation for a value that matches more than one branch of `oneOf`.
  static func severalFit(
    _ targets: [Int], node: JSONNode, program: SchemaProgram
  ) -> Explanation {
    let required = targets.map { program.onlyRequired(by: $0) }
    if required.allSatisfy({ !$0.isEmpty }) {
      return together(required.map { (keys: $0, title: nil) })
    }
    let phrases = targets.map { program.phrase(for: $0) }
    return Explanation(
      expected: "what fits exactly one of several forms",
      found: "\(FoundText.of(node)) that fits \(phrases.count): "
        + FoundText.choice(phrases.uniqued(), "and"))
  }

  static func anythingBut(_ target: Int, node: JSONNode, program: SchemaProgram) -> Explanation {
    let keys = program.onlyRequired(by: target).map(FoundText.quoted)
    if !keys.isEmpty {
      return Explanation(
        expected: "an object without \(FoundText.choice(keys))", found: "it",
        suggestion: keys.count == 1 ? "Remove it." : "Remove one of them.",
        lead: keys.count == 1
          ? "the key \(keys[0]) isn't allowed here"
          : "the keys \(FoundText.choice(keys, "and")) aren't allowed together")
    }
    return Explanation(
      expected: "anything but \(program.phrase(for: target))", found: FoundText.of(node))
  }
}

extension SchemaProgram {
  /// Returns the keys that a schema requires, if it requires nothing else.
  fileprivate func onlyRequired(by node: Int) -> [String] {
    guard nodes[node].notes.title == nil, nodes[node].keywords.count == 1,
      case .required(let keys)? = nodes[node].keywords.first
    else { return [] }
    return keys
  }
}
