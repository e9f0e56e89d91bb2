/// Reads the regular part of ECMA-262's pattern syntax, in Unicode mode, over scalars.
///
/// More lenient than Unicode mode in one respect, because schemas in the wild rely on it: any
/// punctuation may be escaped, and a brace that starts no repetition stands for itself.
struct PatternParser {
  /// Deeper groups than this are refused, so that no pattern exhausts the stack.
  static let maximumDepth = 64
  /// A single repetition may ask for at most this many copies.
  static let maximumCount = 1000

  let scalars: [Unicode.Scalar]
  var position = 0
  private var depth = 0

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  static func parse(_ text: String) throws(PatternError) -> PatternTree {
    var parser = PatternParser(text)
    let tree = try parser.choice()
    guard parser.next == nil else { throw .syntax("A \")\" closes no group.") }
    return tree
  }

  var next: Unicode.Scalar? {
    position < scalars.count ? scalars[position] : nil
  }

  mutating func take() -> Unicode.Scalar? {
    guard let scalar = next else { return nil }
    position += 1
    return scalar
  }

  mutating func take(_ expected: String) -> Bool {
    let wanted = Array(expected.unicodeScalars)
    guard scalars[position...].starts(with: wanted) else { return false }
    position += wanted.count
    return true
  }

  private mutating func choice() throws(PatternError) -> PatternTree {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      throw .unsupported("Its groups are nested deeper than \(Self.maximumDepth).")
    }
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func sequence() throws(PatternError) -> PatternTree {
    var items: [PatternTree] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      let start = position
      let atom = try atom()
      items.append(try quantified(atom, from: start))
    }
    return items.count == 1 ? items[0] : .sequence(items)
  }

  private mutating func atom() throws(PatternError) -> PatternTree {
    guard let scalar = take() else { return .sequence([]) }
    switch scalar {
    case "^": return .textStart
    case "$": return .textEnd
    case ".": return .scalars(.anyButLineEnd)
    case "(": return try group()
    case "[": return .scalars(try characterClass())
    case "\\": return try escape()
    case "*", "+", "?": throw .syntax("\"\(scalar)\" repeats nothing.")
    default: return .scalars(ScalarSet(scalar))
    }
  }

  private mutating func group() throws(PatternError) -> PatternTree {
    for look in ["?=", "?!", "?<=", "?<!"] where take(look) {
      throw .unsupported("Look-around \"(\(look)…)\" is not supported. Write the pattern without.")
    }
    if take("?<") {
      while let scalar = take(), scalar != ">" {}
    } else if !take("?:"), next == "?" {
      throw .syntax("\"(?\" starts no known group.")
    }
    let inside = try choice()
    guard take(")") else { throw .syntax("A \"(\" is never closed.") }
    return inside
  }
}

// MARK: - Repetition

extension PatternParser {
  private mutating func quantified(
    _ atom: PatternTree, from start: Int
  ) throws(PatternError) -> PatternTree {
    guard let (least, most) = try quantifier() else { return atom }
    switch atom {
    case .textStart, .textEnd, .wordBoundary: throw .syntax("An anchor can't be repeated.")
    default: break
    }
    // Greedy or lazy makes no difference to whether a text matches.
    _ = take("?")
    if try quantifier() != nil { throw .syntax("A repetition can't be repeated. Use a group.") }
    return .repeated(atom, least: least, most: most)
  }

  private mutating func quantifier() throws(PatternError) -> (Int, Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    guard next == "{" else { return nil }
    return try counted()
  }

  private mutating func counted() throws(PatternError) -> (Int, Int?)? {
    let start = position
    position += 1
    guard let least = number() else {
      position = start
      return nil
    }
    var most: Int? = least
    if take(",") { most = number() }
    guard take("}") else {
      position = start
      return nil
    }
    if let most, most < least { throw .syntax("In {\(least),\(most)} the numbers are reversed.") }
    guard max(least, most ?? 0) <= Self.maximumCount else {
      throw .unsupported("It repeats more than \(Self.maximumCount) times.")
    }
    return (least, most)
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let scalar = next, ("0"..."9").contains(scalar) {
      // Held far above the limit instead of overflowing.
      value = min((value ?? 0) * 10 + Int(scalar.value - 0x30), 1_000_000)
      position += 1
    }
    return value
  }
}
