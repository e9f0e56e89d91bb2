import AgentJSON

extension Explanation {
  static let tooDeep = Explanation(
    expected: "a value that is nested less deeply", found: "one too deep to be checked")

  static let tooMuch = Explanation(
    expected: "a value that can be checked in reasonable time",
    found: "one for which the schema takes too many steps")

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

  static func severalFit(_ phrases: [String], _ node: JSONNode) -> Explanation {
    Explanation(
      expected: "what fits exactly one of several forms",
      found: "\(FoundText.of(node)) that fits \(phrases.count): "
        + FoundText.choice(phrases.uniqued(), "and"))
  }

  static func anythingBut(_ phrase: String, _ node: JSONNode) -> Explanation {
    Explanation(expected: "anything but \(phrase)", found: FoundText.of(node))
  }
}
