import AgentJSON

/// What one branch of `anyOf` or `oneOf` had to say against a value.
struct BranchAttempt {
  let node: Int
  let failures: [SchemaFailure]
  let coverage: Coverage
}

/// Finds the branch that was meant: by the keys that tell the branches apart, then by the type,
/// then by the fewest failures.
struct BranchChoice {
  /// The branch whose failures are the ones to tell.
  private(set) var meant: BranchAttempt?
  /// Instead of any branch: the values and types that all of them offer.
  private(set) var explanation: Explanation?
  /// Instead of any branch: a key by which one would be chosen, with a value that none has.
  private(set) var discriminator: (key: String, Explanation)?

  init(_ attempts: [BranchAttempt], _ node: JSONNode, _ path: [String], _ program: SchemaProgram) {
    let fitting = attempts.filter { !$0.isRefused(at: path) }
    guard !fitting.isEmpty else {
      explanation = Self.explanation(of: attempts, node, path, program)
      return
    }
    let keys = program.discriminators(of: fitting.map(\.node))
    let best = fitting.filter { $0.mismatches(keys, at: path) == 0 }
    if best.isEmpty, let key = keys.first(where: { node[$0.key] != nil }), let found = node[key.key]
    {
      discriminator = (key.key, .values(key.values.uniqued(), found))
    } else if let key = Self.missing(keys, fitting, node) {
      explanation = Self.explanation(ofMissing: key, node)
    } else {
      meant = (best.isEmpty ? fitting : best).min { $0.errorCount < $1.errorCount }
    }
  }

  /// The key that every branch wants and none can be chosen without.
  private static func missing(
    _ keys: [SchemaProgram.Discriminator], _ attempts: [BranchAttempt], _ node: JSONNode
  ) -> SchemaProgram.Discriminator? {
    keys.first { key in
      node.kind == .object && attempts.count > 1
        && attempts.allSatisfy { attempt in
          attempt.failures.contains { $0.keyword == "required" && $0.key == key.key }
        }
    }
  }

  private static func explanation(
    ofMissing key: SchemaProgram.Discriminator, _ node: JSONNode
  ) -> Explanation {
    let values = Explanation.choice(of: key.values.uniqued())
    var explanation = Explanation.missing(key.key, because: nil, values)
    let near = LikelyName.of(key.key, among: node.members.map(\.key))
    explanation.suggestion = near.map { "Is \(FoundText.quoted($0)) meant to be it?" }
    return explanation
  }

  /// All branches refuse the value itself: their types and values become one choice.
  private static func explanation(
    of attempts: [BranchAttempt], _ node: JSONNode, _ path: [String], _ program: SchemaProgram
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
  var errorCount: Int {
    failures.count { $0.severity == .error }
  }

  /// Whether the value itself is of another type, or another value, than the branch has.
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
  /// Whether it is about what the value is, not about its size or its parts.
  fileprivate var refusesValue: Bool {
    ["type", "const", "enum", "false"].contains(keyword)
  }
}

extension Array where Element: Hashable {
  /// The elements without repetitions, in order.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
