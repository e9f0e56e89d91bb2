/// A condition between two scalars, or at an end of the text.
enum PatternAssertion: UInt8, Sendable, Hashable {
  case textStart, textEnd, lineStart, lineEnd
  case wordBoundary, notWordBoundary
  /// A word boundary that ignores case. Two letters beyond ASCII then fold to word characters.
  case foldedWordBoundary, notFoldedWordBoundary

  func holds(between before: Neighbor, and after: Neighbor) -> Bool {
    switch self {
    case .textStart: before.contains(.edge)
    case .textEnd: after.contains(.edge)
    case .lineStart: !before.isDisjoint(with: [.edge, .lineEnd])
    case .lineEnd: !after.isDisjoint(with: [.edge, .lineEnd])
    case .wordBoundary: before.contains(.word) != after.contains(.word)
    case .notWordBoundary: before.contains(.word) == after.contains(.word)
    case .foldedWordBoundary: before.contains(.foldedWord) != after.contains(.foldedWord)
    case .notFoldedWordBoundary: before.contains(.foldedWord) == after.contains(.foldedWord)
    }
  }
}

/// The features of a neighboring scalar that assertions depend on.
struct Neighbor: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  /// There is no scalar, because the text begins or ends here.
  static let edge = Neighbor(rawValue: 1)
  static let word = Neighbor(rawValue: 2)
  static let foldedWord = Neighbor(rawValue: 4)
  static let lineEnd = Neighbor(rawValue: 8)

  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  init(_ value: UInt32) {
    var found: Neighbor = []
    if ScalarSet.word.contains(value) { found.formUnion([.word, .foldedWord]) }
    if value == 0x17F || value == 0x212A { found.insert(.foldedWord) }
    if ScalarSet.lineEnds.contains(value) { found.insert(.lineEnd) }
    self = found
  }
}
