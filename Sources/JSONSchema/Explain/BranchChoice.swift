import AgentJSON
import AgentText

/// The failures of one branch of `anyOf` or `oneOf` for a value.
struct BranchAttempt {
  let node: Int
  let failures: [SchemaFailure]
  let coverage: Coverage
}

/// Finds the intended branch: by the constants that distinguish the branches, by the type, by the
/// keys that only one branch has, then by the smallest number of failures.
struct BranchChoice {
  /// The branch whose failures are reported.
  private(set) var meant: BranchAttempt?
  /// An explanation of all branches, which replaces that of any branch.
  private(set) var explanation: Explanation?
  /// The key that selects a branch, with an explanation of a value that selects none. It replaces
  /// the failures of any branch.
  private(set) var discriminator: (key: String, Explanation)?

  init(attempts: [BranchAttempt], node: JSONNode, path: [String], program: SchemaProgram) {
    let matching = attempts.filter { !$0.isRefused(at: path) }
    guard !matching.isEmpty else {
      explanation = Self.explanation(of: attempts, node: node, path: path, program: program)
      return
    }
    let keys = program.discriminators(of: matching.map(\.node))
    let best = matching.filter { $0.mismatches(keys, at: path) == 0 }
    let claims = BranchClaims(
      attempts: best.isEmpty ? matching : best, node: node, path: path, program: program)
    if best.isEmpty, let key = keys.first(where: { node[$0.key] != nil }), let found = node[key.key]
    {
      var explanation = Explanation.values(key.values.uniqued(), found)
      if explanation.suggestion == nil, let value = claims.sole.flatMap(key.value) {
        explanation.suggestion = "The other keys are those of \(value.text())."
      }
      discriminator = (key.key, explanation)
    } else if let key = Self.missing(keys, attempts: matching, node: node) {
      explanation = Self.explanation(ofMissing: key, node, claims)
    } else if let explanation = claims.explanation {
      self.explanation = explanation
    } else {
      meant = claims.likely
    }
  }

  /// Returns the key that every branch requires and without which none can be chosen.
  private static func missing(
    _ keys: [SchemaProgram.Discriminator], attempts: [BranchAttempt], node: JSONNode
  ) -> SchemaProgram.Discriminator? {
    keys.first { key in
      node.kind == .object && attempts.count > 1
        && attempts.allSatisfy { attempt in
          attempt.failures.contains { $0.keyword == "required" && $0.key == key.key }
        }
    }
  }

  private static func explanation(
    ofMissing key: SchemaProgram.Discriminator, _ node: JSONNode, _ claims: BranchClaims
  ) -> Explanation {
    let values = key.values.uniqued()
    let quoted = FoundText.quoted(key.key)
    var explanation = Explanation(
      expected: "the key \(quoted)", found: "no such key", key: key.key,
      lead: "missing key \(quoted) (\(Explanation.choice(of: values)))")
    let near =
      NameSuggestion.of(key.key, among: node.members.map(\.key))
      ?? node.members.first { values.contains($0.value.value) && !claims.knows($0.key) }?.key
    if let near {
      explanation.suggestion = "Is \(FoundText.quoted(near)) meant to be it?"
    } else if let value = claims.sole.flatMap(key.value) {
      explanation.suggestion = "Add \(quoted): \(value.text()), going by the other keys."
    } else {
      explanation.suggestion = "Add it."
    }
    return explanation
  }

  /// Returns one explanation for branches that all reject the value itself. Their types and values
  /// become one list.
  private static func explanation(
    of attempts: [BranchAttempt], node: JSONNode, path: [String], program: SchemaProgram
  ) -> Explanation {
    let own = attempts.flatMap { $0.failures.filter { $0.instance.tokens == path } }
    let refusals = own.filter(\.refusesValue)
    let values = attempts.flatMap { program.values(of: $0.node) ?? [] }.uniqued()
    if refusals.allSatisfy({ $0.keyword != "type" }), !values.isEmpty {
      return .values(values, node)
    }
    let expected = refusals.map(\.expected).uniqued()
    let near = values.isEmpty ? nil : Explanation.values(values, node).suggestion
    return Explanation(
      expected: FoundText.choice(expected), found: FoundText.of(node),
      suggestion: near ?? refusals.lazy.compactMap(\.suggestion).first)
  }
}

extension BranchAttempt {
  /// The weight of the failures of the branch. A misspelled key has less weight than others.
  var weight: Int {
    let near = Set(failures.compactMap(\.nearestKey))
    return failures.reduce(0) { sum, failure in
      guard failure.severity == .error else { return sum }
      if failure.nearestKey != nil { return sum + 1 }
      if failure.keyword == "required", let key = failure.key, near.contains(key) { return sum }
      return sum + 2
    }
  }

  /// Returns whether the value itself has another type or another value than the branch requires.
  fileprivate func isRefused(at path: [String]) -> Bool {
    failures.contains { $0.refusesValue && $0.instance.tokens == path }
  }

  fileprivate func mismatches(_ keys: [SchemaProgram.Discriminator], at path: [String]) -> Int {
    failures.count { failure in
      failure.refusesValue && failure.instance.tokens.count == path.count + 1
        && keys.contains { $0.key == failure.instance.last }
    }
  }
}

extension SchemaFailure {
  /// Whether the failure concerns the value itself and not its size or its parts.
  fileprivate var refusesValue: Bool {
    ["type", "const", "enum", "false"].contains(keyword)
  }
}

extension Array where Element: Hashable {
  /// Returns the elements without repetitions, in order.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
