/// A pattern that is a sequence of sets with counts, with or without `^` and `$`.
struct PatternShape {
  private(set) var links: [PatternChain.Link] = []
  private(set) var isAtStart = false
  private(set) var isAtEnd = false

  /// Returns `nil` for any other pattern.
  init?(_ tree: PatternTree) {
    guard add(tree) else { return nil }
  }

  /// The text of the pattern, if each set has one member and none is repeated.
  var literal: PatternLiteral? {
    var bytes: [UInt8] = []
    for link in links {
      guard let value = link.set.single, let scalar = Unicode.Scalar(value), link.least == 1,
        link.most == 1
      else { return nil }
      bytes += UTF8.encode(scalar).map(Array.init) ?? []
    }
    guard isAtStart || isAtEnd || bytes.count <= PatternLiteral.maxSearched else { return nil }
    return PatternLiteral(bytes: bytes, isAtStart: isAtStart, isAtEnd: isAtEnd)
  }

  var chain: PatternChain? {
    PatternChain(links, isAtStart: isAtStart, isAtEnd: isAtEnd)
  }

  private mutating func add(_ tree: PatternTree) -> Bool {
    switch tree {
    case .scalars(let set): append(set, least: 1, most: 1)
    case .sequence(let items): items.allSatisfy { add($0) }
    case .group(let inside, _): add(inside)
    case .assertion(.textStart): addStart()
    case .assertion(.textEnd): addEnd()
    case .repeated(let item, let repetition): addRepeated(item, repetition)
    default: false
    }
  }

  private mutating func append(_ set: ScalarSet, least: Int, most: Int) -> Bool {
    guard !isAtEnd else { return false }
    links.append(PatternChain.Link(set: set, least: least, most: most))
    return true
  }

  private mutating func addStart() -> Bool {
    guard links.isEmpty, !isAtEnd else { return false }
    isAtStart = true
    return true
  }

  private mutating func addEnd() -> Bool {
    isAtEnd = true
    return true
  }

  private mutating func addRepeated(
    _ item: PatternTree, _ repetition: PatternTree.Repetition
  ) -> Bool {
    let turns = PatternTree.merged(item, repetition)
    // A single turn of a group is the same as the group.
    if turns.least == 1, turns.most == 1 { return add(turns.item) }
    guard case .scalars(let set) = turns.item else { return false }
    return append(set, least: turns.least, most: turns.most ?? Int.max)
  }
}
