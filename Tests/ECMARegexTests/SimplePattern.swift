import TestSupport

/// A pattern that is matched in the plainest way: the set of all places where it may end.
indirect enum SimplePattern {
  case scalars(text: String, (Unicode.Scalar) -> Bool)
  /// What holds between the scalars before and after.
  case assertion(text: String, (Unicode.Scalar?, Unicode.Scalar?) -> Bool)
  case sequence([SimplePattern])
  case choice([SimplePattern])
  case repeated(SimplePattern, Int, Int?)
  case look(SimplePattern, isBehind: Bool, isNegated: Bool)

  /// As ECMA-262 writes it.
  var text: String {
    switch self {
    case .scalars(let text, _), .assertion(let text, _): text
    case .sequence(let items): items.map(\.text).joined()
    case .choice(let items): "(?:\(items.map(\.text).joined(separator: "|")))"
    case .repeated(let item, let least, let most):
      "(?:\(item.text)){\(least)\(most.map { $0 == least ? "" : ",\($0)" } ?? ",")}"
    case .look(let item, let isBehind, let isNegated):
      "(?\(isBehind ? "<" : "")\(isNegated ? "!" : "=")\(item.text))"
    }
  }

  func isFound(in text: [Unicode.Scalar]) -> Bool {
    (0...text.count).contains { !ends(from: $0, text).isEmpty }
  }

  /// All places where a match that begins at `start` can end.
  private func ends(from start: Int, _ text: [Unicode.Scalar]) -> Set<Int> {
    switch self {
    case .scalars(_, let accepts):
      return start < text.count && accepts(text[start]) ? [start + 1] : []
    case .assertion(_, let holds):
      let before = start > 0 ? text[start - 1] : nil
      return holds(before, start < text.count ? text[start] : nil) ? [start] : []
    case .sequence(let items):
      return items.reduce([start]) { places, item in
        Set(places.flatMap { item.ends(from: $0, text) })
      }
    case .choice(let items): return Set(items.flatMap { $0.ends(from: start, text) })
    case .repeated(let item, let least, let most):
      return Self.repeatedEnds(item, least: least, most: most, start: start, text: text)
    case .look(let item, let isBehind, let isNegated):
      let found =
        isBehind
        ? (0...start).contains { item.ends(from: $0, text).contains(start) }
        : !item.ends(from: start, text).isEmpty
      return found != isNegated ? [start] : []
    }
  }

  private static func repeatedEnds(
    _ item: SimplePattern, least: Int, most: Int?, start: Int, text: [Unicode.Scalar]
  ) -> Set<Int> {
    var places: Set<Int> = [start]
    for _ in 0..<least { places = Set(places.flatMap { item.ends(from: $0, text) }) }
    var all = places
    // More turns than the text has places lead nowhere new.
    for _ in 0..<min((most ?? Int.max) - least, text.count + 1) {
      places = Set(places.flatMap { item.ends(from: $0, text) })
      all.formUnion(places)
    }
    return all
  }
}

extension SimplePattern {
  /// A pattern that is searched for, or, as often, one that the whole text has to match.
  static func random(_ dice: inout SeededGenerator) -> SimplePattern {
    let tree = random(depth: 3, &dice)
    guard dice.percent(50) else { return tree }
    let start = SimplePattern.assertion(text: "^") { before, _ in before == nil }
    return .sequence([start, .choice([tree]), .assertion(text: "$") { _, after in after == nil }])
  }

  private static func random(depth: Int, _ dice: inout SeededGenerator) -> SimplePattern {
    let kind = dice.below(depth > 0 ? 10 : 5)
    switch kind {
    case 0...3: return scalar(&dice)
    case 4: return anchor(&dice)
    case 5, 6:
      return .sequence((0..<dice.below(4)).map { _ in random(depth: depth - 1, &dice) })
    case 7: return .choice((0..<1 + dice.below(3)).map { _ in random(depth: depth - 1, &dice) })
    case 8:
      let inner = repeated(random(depth: depth - 1, &dice), &dice)
      // Repetitions of repetitions are made one where that is right.
      return dice.percent(50) ? repeated(inner, &dice) : inner
    default:
      guard dice.percent(40) else { return random(depth: depth - 1, &dice) }
      return .look(
        random(depth: depth - 1, &dice), isBehind: dice.percent(50), isNegated: dice.percent(50))
    }
  }

  private static func repeated(_ item: SimplePattern, _ dice: inout SeededGenerator)
    -> SimplePattern
  {
    let least = dice.below(3)
    return .repeated(item, least, dice.percent(40) ? nil : least + dice.below(3))
  }

  private static func scalar(_ dice: inout SeededGenerator) -> SimplePattern {
    switch dice.below(9) {
    case 0: .scalars(text: "a") { $0 == "a" }
    case 1: .scalars(text: "b") { $0 == "b" }
    case 2: .scalars(text: "é") { $0 == "é" }
    case 3: .scalars(text: ".") { $0 != "\n" }
    case 4: .scalars(text: "[ab\u{1F409}]") { $0 == "a" || $0 == "b" || $0 == "\u{1F409}" }
    case 5: .scalars(text: "[^a-z]") { !("a"..."z").contains($0) }
    case 6: .scalars(text: "\\p{L}") { $0.properties.isAlphabetic }
    case 7: .scalars(text: "(?i:A)") { $0 == "a" || $0 == "A" }
    default: .scalars(text: "\\W") { !isWord($0) }
    }
  }

  private static func anchor(_ dice: inout SeededGenerator) -> SimplePattern {
    switch dice.below(5) {
    case 0: .assertion(text: "^") { before, _ in before == nil }
    case 1: .assertion(text: "$") { _, after in after == nil }
    case 2: .assertion(text: "\\b") { before, after in isWord(before) != isWord(after) }
    case 3: .assertion(text: "\\B") { before, after in isWord(before) == isWord(after) }
    default: .assertion(text: "(?m:^)") { before, _ in before == nil || before == "\n" }
    }
  }

  /// Whether a scalar is one of the letters of the texts.
  private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
    scalar == "a" || scalar == "b" || scalar == "A" || scalar == "1"
  }
}
