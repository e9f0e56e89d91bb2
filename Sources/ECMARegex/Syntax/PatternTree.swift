/// A parsed pattern.
indirect enum PatternTree: Sendable {
  case scalars(ScalarSet)
  case assertion(PatternAssertion)
  case sequence([PatternTree])
  case choice([PatternTree])
  case repeated(PatternTree, Repetition)
  /// A capturing group; only back-references ask what it caught.
  case group(PatternTree, number: Int)
  case look(PatternTree, Look)
  case reference(Reference)

  struct Repetition: Sendable {
    let least: Int
    /// Nil where nothing bounds it.
    let most: Int?
    let isLazy: Bool
    /// The groups inside, which every turn empties.
    let groups: Range<Int>
  }

  struct Look: Sendable {
    let isBehind: Bool
    let isNegated: Bool
  }

  struct Reference: Sendable {
    /// The group's number; nil where it is named.
    var number: Int?
    var name = ""
    let ignoresCase: Bool
    /// Where it stands in the pattern, from 0.
    let index: Int
  }
}

/// A pattern's tree with what the parser learnt on the way.
struct ParsedPattern: Sendable {
  var tree: PatternTree
  var groupCount = 0
  /// The names of groups and their numbers.
  var names: [String: Int] = [:]
  var hasLooks = false
  var hasReferences = false
}
