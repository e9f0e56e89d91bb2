/// A compiled `pattern` of ECMA-262.
///
/// It searches: only `^` and `$` anchor it. The time of a search grows with the length of the text,
/// whatever the pattern is. The exception is a pattern with back-references. It is matched by
/// backtracking, which ends after a number of steps.
package struct Pattern: Sendable {
  /// The result of a search.
  package enum Outcome: Sendable, Equatable {
    case matches
    case differs
    /// The search took too many steps. It is unknown whether the text matches.
    case exhausted
  }

  /// The ways to match a pattern, from the cheapest to the most expensive.
  private enum Matcher: Sendable {
    case literal(PatternLiteral)
    case chain(PatternChain)
    case automaton(PatternAutomaton)
    /// All matchers must succeed, and the negated ones must fail.
    case all([(matcher: Matcher, isNegated: Bool)])
    case backtracker(PatternBacktracker)
  }

  /// The pattern as it was written.
  package let text: String
  private let matcher: Matcher

  package init(_ text: String) throws(PatternError) {
    self.text = text
    let parsed = try PatternParser.parse(text)
    matcher =
      parsed.hasReferences
      ? .backtracker(try PatternBacktracker(parsed))
      : try Self.matcher(parsed.tree, hasLooks: parsed.hasLooks)
  }

  /// Returns whether a text is a regular expression, whatever its size.
  package static func isWellFormed(_ text: String) -> Bool {
    (try? PatternParser.parse(text)) != nil
  }

  /// Returns whether any part of the text matches. Returns false if the search took too many steps.
  package func matches(_ text: String) -> Bool {
    search(text) == .matches
  }

  /// Does the same for a text in UTF-8.
  package func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    search(bytes) == .matches
  }

  package func search(_ text: String) -> Outcome {
    if let outcome = text.utf8.withContiguousStorageIfAvailable({ search($0) }) { return outcome }
    var text = text
    return text.withUTF8 { search($0) }
  }

  package func search(_ bytes: UnsafeBufferPointer<UInt8>) -> Outcome {
    Self.search(matcher, bytes)
  }

  private static func search(
    _ matcher: borrowing Matcher, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Outcome {
    switch matcher {
    case .literal(let literal): return literal.matches(bytes) ? .matches : .differs
    case .chain(let chain): return chain.matches(bytes) ? .matches : .differs
    case .automaton(let automaton): return automaton.matches(bytes) ? .matches : .differs
    case .backtracker(let backtracker): return backtracker.search(bytes)
    case .all(let parts):
      let holds = parts.allSatisfy { (search($0.matcher, bytes) == .matches) != $0.isNegated }
      return holds ? .matches : .differs
    }
  }

  private static func matcher(
    _ tree: PatternTree, hasLooks: Bool
  ) throws(PatternError) -> Matcher {
    if let shape = PatternShape(tree) {
      if let literal = shape.literal { return .literal(literal) }
      if let chain = shape.chain { return .chain(chain) }
    }
    guard hasLooks, let parts = separated(tree) else {
      return .automaton(try PatternAutomaton(tree))
    }
    var matchers: [(matcher: Matcher, isNegated: Bool)] = []
    for (tree, isNegated) in parts {
      matchers.append((try matcher(tree, hasLooks: true), isNegated))
    }
    return .all(matchers)
  }

  /// Splits `^(?=A)(?!B)C` into `^A`, not `^B`, and `^C`, which can be tested independently.
  private static func separated(_ tree: PatternTree) -> [(PatternTree, isNegated: Bool)]? {
    guard case .sequence(let items) = tree, case .assertion(.textStart)? = items.first else {
      return nil
    }
    var parts: [(PatternTree, isNegated: Bool)] = []
    for item in items.dropFirst() {
      guard case .look(let inside, let look) = item, !look.isBehind else { break }
      parts.append((.sequence([items[0], inside]), look.isNegated))
    }
    guard !parts.isEmpty else { return nil }
    parts.append((.sequence([items[0]] + items.dropFirst(1 + parts.count)), false))
    return parts
  }
}
