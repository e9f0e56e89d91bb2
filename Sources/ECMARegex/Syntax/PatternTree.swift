/// A parsed pattern.
indirect enum PatternTree: Sendable {
  case scalars(ScalarSet)
  case assertion(PatternAssertion)
  case sequence([PatternTree])
  case choice([PatternTree])
  case repeated(PatternTree, Repetition)
  /// A capturing group. Only back-references need its text.
  case group(PatternTree, number: Int)
  case look(PatternTree, Look)
  case reference(Reference)

  struct Repetition: Sendable {
    let least: Int
    /// The largest number. `nil` means no bound.
    let most: Int?
    let isLazy: Bool
    /// The groups inside. Each turn clears them.
    let groups: Range<Int>
  }

  struct Look: Sendable {
    let isBehind: Bool
    let isNegated: Bool
  }

  struct Reference: Sendable {
    /// The group's number. `nil` if the reference uses a name.
    var number: Int?
    var name = ""
    let ignoresCase: Bool
    /// The position in the pattern, from 0.
    let index: Int
  }
}

/// The tree of a pattern, with facts that the parser found.
struct ParsedPattern: Sendable {
  var tree: PatternTree
  var groupCount = 0
  /// The names of groups and their numbers.
  var names: [String: Int] = [:]
  var hasLooks = false
  var hasReferences = false
}
