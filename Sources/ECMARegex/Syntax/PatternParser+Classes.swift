extension PatternParser {
  /// The scalars of a class or an escape, before they become a set.
  struct Members {
    var ranges: [ClosedRange<UInt32>] = []
    var parts: [ScalarSet.Part] = []
    /// The value of a single character. Only such a one may bound a range.
    var single: UInt32?

    init(_ ranges: [ClosedRange<UInt32>] = []) {
      self.ranges = ranges
    }

    init(single value: UInt32) {
      ranges = [value...value]
      single = value
    }
  }

  func set(_ members: Members, isNegated: Bool = false) -> ScalarSet {
    ScalarSet(
      members.ranges, members.parts, isNegated: isNegated, ignoresCase: flags.ignoresCase)
  }

  /// Reads `[…]` after its opening bracket.
  mutating func characterClass() throws(PatternError) -> ScalarSet {
    let start = position - 1
    let isNegated = take("^")
    var members = Members()
    while let scalar = next, scalar != "]" {
      let place = position
      let first = try classAtom()
      guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
        members.ranges += first.ranges
        members.parts += first.parts
        continue
      }
      position += 1
      members.ranges.append(try range(from: first, to: try classAtom(), at: place))
    }
    guard take("]") else {
      throw .syntax("The class opened", at: start, "isn't closed. For the sign write \"\\[\".")
    }
    return set(members, isNegated: isNegated)
  }

  private func range(
    from first: Members, to last: Members, at place: Int
  ) throws(PatternError) -> ClosedRange<UInt32> {
    guard let low = first.single, let high = last.single else {
      throw .syntax(
        "The range", at: place, "needs a character at both ends. For the minus sign write \"\\-\".")
    }
    guard low <= high else { throw .syntax("The range", at: place, "is reversed.") }
    return low...high
  }

  private mutating func classAtom() throws(PatternError) -> Members {
    guard let scalar = take() else { return Members() }
    guard scalar == "\\" else { return Members(single: scalar.value) }
    if take("b") { return Members(single: 8) }
    return try members(position - 1)
  }

  /// Returns the scalars of an escape, inside or outside a class. `start` is the index of its
  /// backslash.
  mutating func members(_ start: Int) throws(PatternError) -> Members {
    guard let scalar = take() else {
      throw .syntax("The backslash", at: start, "has nothing to follow it. Write \"\\\\\".")
    }
    switch scalar {
    case "d": return Members(ScalarSet.digits.ranges)
    case "D": return Members(ScalarSet.complement(of: ScalarSet.digits.ranges))
    case "w": return Members(word)
    case "W": return Members(ScalarSet.complement(of: word))
    case "s": return Members(ScalarSet.space.ranges)
    case "S": return Members(ScalarSet.complement(of: ScalarSet.space.ranges))
    case "p": return try property(start, isNegated: false)
    case "P": return try property(start, isNegated: true)
    default: return Members(single: try characterEscape(scalar, start))
    }
  }

  private var word: [ClosedRange<UInt32>] {
    flags.ignoresCase ? CaseFolding.closure(of: ScalarSet.word.ranges) : ScalarSet.word.ranges
  }

  private mutating func property(
    _ start: Int, isNegated: Bool
  ) throws(PatternError) -> Members {
    var name = String.UnicodeScalarView()
    guard take("{") else {
      throw .syntax("The \"\\p\"", at: start, "needs a property in braces, such as \"\\p{L}\".")
    }
    while let scalar = take(), scalar != "}" { name.append(scalar) }
    guard scalars[position - 1] == "}" else {
      throw .syntax("The property opened", at: start, "isn't closed. Add \"}\".")
    }
    let text = String(name)
    switch ScalarProperty.meaning(of: text) {
    case .ranges(let ranges): return Members(isNegated ? ScalarSet.complement(of: ranges) : ranges)
    case .property(let property):
      var members = Members()
      members.parts = [ScalarSet.Part(property: property, isNegated: isNegated)]
      return members
    case nil: throw .syntax("The property \"\(text)\"", at: start, advice(text))
    }
  }

  private func advice(_ name: String) -> String {
    let isScript = ScalarScript.ranges(of: name) != nil
    return "is none that ECMA-262 knows."
      + (isScript ? " For the script write \"Script=\(name)\"." : "")
  }
}
