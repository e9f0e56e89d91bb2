import AgentJSON

/// The branches of a choice that an object's keys indicate. A key that only one branch names
/// indicates that branch.
struct BranchClaims {
  private struct Claim {
    let attempt: BranchAttempt
    /// The keys of the object that only this branch names.
    let keys: [String]
  }

  private let claims: [Claim]
  private let known: Set<String>
  private let program: SchemaProgram
  private let path: [String]

  init(attempts: [BranchAttempt], node: JSONNode, path: [String], program: SchemaProgram) {
    self.program = program
    self.path = path
    let named = attempts.map { attempt in Self.named(by: attempt.node, program) }
    known = Set(named.flatMap(\.self))
    claims = zip(attempts, named).map { attempt, keys in
      let present = keys.filter { key in
        node[key] != nil && named.count { $0.contains(key) } == 1
      }
      return Claim(attempt: attempt, keys: present)
    }
  }

  /// Returns the keys that a branch names in `properties` or `required`.
  private static func named(by node: Int, _ program: SchemaProgram) -> [String] {
    program.conjunction(of: node).flatMap { program.nodes[$0].keywords }.flatMap { keyword in
      switch keyword {
      case .properties(let rules): rules.order
      case .required(let keys): keys
      default: [String]()
      }
    }.uniqued()
  }

  /// Returns whether any branch names a key.
  func knows(_ key: String) -> Bool { known.contains(key) }

  /// The branch that was most likely intended.
  var likely: BranchAttempt? {
    best.min { $0.attempt.weight < $1.attempt.weight }?.attempt
  }

  /// The only branch that keys indicate. `nil` if there is none or more than one.
  var sole: Int? {
    let claimed = claims.filter { !$0.keys.isEmpty }
    return claimed.count == 1 ? claimed[0].attempt.node : nil
  }

  /// An explanation that replaces the failures of any branch: one of several keys is missing, or
  /// keys of several branches are used together.
  var explanation: Explanation? {
    let least = best.map(\.attempt.weight).min() ?? 0
    let equal = best.filter { $0.attempt.weight == least }
    guard best.count > 1 else { return nil }
    return together(equal) ?? missing(best)
  }

  private var best: [Claim] {
    let most = claims.map(\.keys.count).max() ?? 0
    return claims.filter { $0.keys.count == most }
  }

  private func together(_ claims: [Claim]) -> Explanation? {
    let areMixed =
      claims.count > 1
      && claims.allSatisfy { claim in
        !claim.keys.isEmpty
          && claim.attempt.failures.allSatisfy { $0.instance.tokens == path && $0.isOfUnknownKey }
      }
    guard areMixed else { return nil }
    return .together(claims.map { (keys: $0.keys, title: title(of: $0.attempt)) })
  }

  private func missing(_ claims: [Claim]) -> Explanation? {
    let claims = claims.filter { claim in
      claim.attempt.failures.allSatisfy { $0.keyword == "required" && $0.instance.tokens == path }
    }
    let wanted = claims.map { $0.attempt.failures.compactMap(\.key) }
    guard claims.count > 1, Set(wanted).count == wanted.count else { return nil }
    return .missingOne(of: zip(claims, wanted).map { ($1, title(of: $0.attempt)) })
  }

  private func title(of attempt: BranchAttempt) -> String? {
    program.conjunction(of: attempt.node).lazy.compactMap { [program] in
      program.nodes[$0].notes.title
    }.first
  }
}

extension Explanation {
  /// Returns the explanation for keys of branches that exclude each other.
  static func together(_ groups: [(keys: [String], title: String?)]) -> Explanation {
    let all = FoundText.choice(groups.flatMap(\.keys).map(FoundText.quoted), "and")
    let choice = FoundText.choice(groups.map(phrase))
    return Explanation(
      expected: "only \(choice)", found: "\(all) together", suggestion: "Keep only \(choice).",
      lead: "\(all) don't go together")
  }

  /// Returns the explanation for an object that needs one of several groups of keys and has none.
  static func missingOne(of groups: [(keys: [String], title: String?)]) -> Explanation {
    let choice = FoundText.choice(groups.map(phrase))
    return Explanation(
      expected: "the key \(choice)", found: "none of them", suggestion: "Add one of them.",
      lead: "missing key \(choice)")
  }

  private static func phrase(_ group: (keys: [String], title: String?)) -> String {
    FoundText.choice(group.keys.map(FoundText.quoted), "and")
      + (group.title.map { " (\($0))" } ?? "")
  }
}
