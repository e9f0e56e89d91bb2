/// Reads a regular expression of ECMA-262 (2024, flag `u`), with the modifiers `(?i:…)` of 2025.
///
/// It is more lenient than the flag `u` in two points, because schemas use these forms and their
/// meaning is clear. A backslash before a character that is neither letter nor digit represents
/// that character (`\-`, `\_`, `\"`). A bracket or brace without a partner represents itself (`{`,
/// `}`, `]`). Unknown letters after a backslash are refused, as the test suite requires for `\a`.
struct PatternParser {
  /// The largest depth of groups, so that no pattern exhausts the stack.
  static let maxDepth = 64
  /// The largest count. Greater ones are replaced by it, because no text is long enough for a
  /// difference.
  static let maxCount = 1 << 40

  let scalars: [Unicode.Scalar]
  var position = 0
  var flags = Flags()
  var groupCount = 0
  var hasLooks = false
  /// The names of groups and their numbers.
  var names: [String: Int] = [:]
  var references: [PatternTree.Reference] = []
  /// Whether the last closing parenthesis ended a look-around.
  var endsLook = false
  private var depth = 0

  /// The flags that modifiers change.
  struct Flags {
    var ignoresCase = false
    var isMultiline = false
    var dotIsAll = false
  }

  private init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  static func parse(_ text: String) throws(PatternError) -> ParsedPattern {
    var parser = PatternParser(text)
    let tree = try parser.choice()
    guard parser.next == nil else {
      throw .syntax(
        "The \")\"", at: parser.position, "closes no group. For the sign write \"\\)\".")
    }
    try parser.checkReferences()
    return ParsedPattern(
      tree: tree, groupCount: parser.groupCount, names: parser.names, hasLooks: parser.hasLooks,
      hasReferences: !parser.references.isEmpty)
  }

  var next: Unicode.Scalar? {
    position < scalars.count ? scalars[position] : nil
  }

  mutating func take() -> Unicode.Scalar? {
    guard let scalar = next else { return nil }
    position += 1
    return scalar
  }

  mutating func take(_ expected: Unicode.Scalar) -> Bool {
    guard next == expected else { return false }
    position += 1
    return true
  }

  /// Reads both characters or none.
  mutating func take(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
    guard next == first, position + 1 < scalars.count, scalars[position + 1] == second else {
      return false
    }
    position += 2
    return true
  }

  mutating func choice() throws(PatternError) -> PatternTree {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maxDepth else {
      throw .unsupported("The group", at: position, "is deeper than \(Self.maxDepth) groups.")
    }
    let first = try sequence()
    guard next == "|" else { return first }
    var branches = [first]
    while take("|") { branches.append(try sequence()) }
    return .choice(branches)
  }

  private mutating func sequence() throws(PatternError) -> PatternTree {
    var items: [PatternTree] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      let firstGroup = groupCount + 1
      let atom = try atom()
      // A group around an assertion may be repeated. It leaves no trace in the tree, so it is
      // recognized here.
      let isGroup = scalar == "(" && !endsLook
      endsLook = false
      items.append(try quantified(atom, isGroup: isGroup, groupsFrom: firstGroup))
    }
    return items.count == 1 ? items[0] : .sequence(items)
  }

  private mutating func atom() throws(PatternError) -> PatternTree {
    let start = position
    guard let scalar = take() else { return .sequence([]) }
    switch scalar {
    case "^": return .assertion(flags.isMultiline ? .lineStart : .textStart)
    case "$": return .assertion(flags.isMultiline ? .lineEnd : .textEnd)
    case ".": return .scalars(flags.dotIsAll ? .any : .anyButLineEnd)
    case "(": return try group()
    case "[": return .scalars(try characterClass())
    case "\\": return try escape()
    case "*", "+", "?": throw repeatsNothing(scalar, start)
    case "{":
      position = start
      if try counted() != nil { throw repeatsNothing(scalar, start) }
      position = start + 1
    default: break
    }
    return .scalars(literal(scalar.value))
  }

  /// Returns the set of one scalar and, if case is ignored, of those with the same folded form.
  func literal(_ value: UInt32) -> ScalarSet {
    flags.ignoresCase ? ScalarSet([value...value], ignoresCase: true) : ScalarSet(value)
  }

  private func repeatsNothing(_ mark: Unicode.Scalar, _ start: Int) -> PatternError {
    .syntax("The \"\(mark)\"", at: start, "repeats nothing. For the sign write \"\\\(mark)\".")
  }

  private func checkReferences() throws(PatternError) {
    for reference in references {
      if let number = reference.number, number > groupCount {
        throw .syntax(
          "The back-reference \"\\\(number)\"", at: reference.index,
          "means no group: there \(groupCount == 1 ? "is" : "are") \(groupCount).")
      }
      if reference.number == nil, names[reference.name] == nil {
        throw .syntax(
          "The back-reference \"\\k<\(reference.name)>\"", at: reference.index,
          "means no group: none has this name.")
      }
    }
  }
}

// MARK: - Repetition

extension PatternParser {
  private mutating func quantified(
    _ atom: PatternTree, isGroup: Bool, groupsFrom first: Int
  ) throws(PatternError) -> PatternTree {
    let start = position
    guard let (least, most) = try quantifier() else { return atom }
    switch atom {
    case .assertion where !isGroup, .look where !isGroup:
      throw .syntax("The repetition", at: start, "follows an assertion, which can't be repeated.")
    default: break
    }
    let isLazy = take("?")
    let second = position
    if try quantifier() != nil {
      throw .syntax(
        "The repetition", at: second, "repeats a repetition. Put what it repeats into \"(?:…)\".")
    }
    let groups = first..<(groupCount + 1)
    return .repeated(
      atom, PatternTree.Repetition(least: least, most: most, isLazy: isLazy, groups: groups))
  }

  private mutating func quantifier() throws(PatternError) -> (Int, Int?)? {
    switch next {
    case "*": position += 1; return (0, nil)
    case "+": position += 1; return (1, nil)
    case "?": position += 1; return (0, 1)
    case "{": return try counted()
    default: return nil
    }
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
    if let most, most < least {
      throw .syntax("The repetition {\(least),\(most)}", at: start, "has its numbers reversed.")
    }
    return (least, most)
  }

  mutating func number() -> Int? {
    var value: Int?
    while let scalar = next, ("0"..."9").contains(scalar) {
      value = min((value ?? 0) * 10 + Int(scalar.value - 0x30), Self.maxCount)
      position += 1
    }
    return value
  }
}
