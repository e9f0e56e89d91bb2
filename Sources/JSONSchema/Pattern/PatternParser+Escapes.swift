extension PatternParser {
  /// What follows a backslash outside a class.
  mutating func escape() throws(PatternError) -> PatternTree {
    switch next {
    case "b":
      position += 1
      return .wordBoundary(negated: false)
    case "B":
      position += 1
      return .wordBoundary(negated: true)
    case .some(let scalar) where ("1"..."9").contains(scalar) || scalar == "k":
      throw .unsupported("The back-reference \"\\\(scalar)\" is not supported.")
    default:
      return .scalars(ScalarSet(try classEscape()))
    }
  }

  /// `[…]`, its opening bracket taken already.
  mutating func characterClass() throws(PatternError) -> ScalarSet {
    let negated = take("^")
    var parts: [ScalarSet.Part] = []
    while let scalar = next, scalar != "]" {
      let first = try classAtom()
      guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
        parts += first
        continue
      }
      position += 1
      parts.append(try Self.range(first, try classAtom()))
    }
    guard take("]") else { throw .syntax("A \"[\" is never closed.") }
    return ScalarSet(parts, negated: negated)
  }

  private static func range(
    _ first: [ScalarSet.Part], _ last: [ScalarSet.Part]
  ) throws(PatternError) -> ScalarSet.Part {
    guard case .range(let low)? = first.first, case .range(let high)? = last.first,
      first.count == 1, last.count == 1, low.count == 1, high.count == 1
    else { throw .syntax("A range in a class needs a character at both ends.") }
    guard low.lowerBound <= high.lowerBound else {
      throw .syntax("A range in a class is reversed.")
    }
    return .range(low.lowerBound...high.lowerBound)
  }

  private mutating func classAtom() throws(PatternError) -> [ScalarSet.Part] {
    guard let scalar = take() else { throw .syntax("A \"[\" is never closed.") }
    guard scalar == "\\" else { return [.range(scalar.value...scalar.value)] }
    if take("b") { return [.range(8...8)] }
    return try classEscape()
  }

  /// The scalars that an escape stands for, the same inside a class and outside.
  private mutating func classEscape() throws(PatternError) -> [ScalarSet.Part] {
    guard let scalar = take() else { throw .syntax("It ends in a lone backslash.") }
    switch scalar {
    case "d": return ScalarSet.parts(ScalarSet.digits)
    case "D": return ScalarSet.parts(outside: ScalarSet.digits)
    case "w": return ScalarSet.parts(ScalarSet.word)
    case "W": return ScalarSet.parts(outside: ScalarSet.word)
    case "s": return ScalarSet.parts(ScalarSet.space)
    case "S": return ScalarSet.parts(outside: ScalarSet.space)
    case "p": return [.property(try property(), negated: false)]
    case "P": return [.property(try property(), negated: true)]
    default:
      let value = try literalEscape(scalar)
      return [.range(value...value)]
    }
  }

  private mutating func literalEscape(_ scalar: Unicode.Scalar) throws(PatternError) -> UInt32 {
    switch scalar {
    case "t": return 0x09
    case "n": return 0x0A
    case "v": return 0x0B
    case "f": return 0x0C
    case "r": return 0x0D
    case "0": return 0
    case "c": return try control()
    case "x": return try hexadecimal(2)
    case "u": return try unicode()
    default:
      let isLetter = scalar.isASCII && ScalarSet.isWord(scalar) && scalar != "_"
      guard !isLetter else { throw .syntax("\"\\\(scalar)\" is no escape of ECMA-262.") }
      return scalar.value
    }
  }

  private mutating func control() throws(PatternError) -> UInt32 {
    guard let letter = take(), letter.isASCII, letter.properties.isAlphabetic else {
      throw .syntax("\"\\c\" needs a letter.")
    }
    return letter.value % 32
  }

  private mutating func hexadecimal(_ digits: Int) throws(PatternError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = take().flatMap({ Character($0).hexDigitValue }) else {
        throw .syntax("An escape needs \(digits) hexadecimal digits.")
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  private mutating func unicode() throws(PatternError) -> UInt32 {
    if take("{") {
      var value: UInt32 = 0
      while let digit = next.flatMap({ Character($0).hexDigitValue }), value <= 0x10FFFF {
        value = value << 4 | UInt32(digit)
        position += 1
      }
      guard take("}"), value <= 0x10FFFF else { throw .syntax("\"\\u{…}\" names no scalar.") }
      return value
    }
    let lead = try hexadecimal(4)
    guard (0xD800..<0xDC00).contains(lead), take("\\u") else { return lead }
    let trail = try hexadecimal(4)
    guard (0xDC00..<0xE000).contains(trail) else { throw .syntax("Half a surrogate pair.") }
    return 0x10000 + (lead - 0xD800) << 10 + (trail - 0xDC00)
  }

  private mutating func property() throws(PatternError) -> ScalarProperty {
    guard take("{") else { throw .syntax("\"\\p\" needs a property's name in braces.") }
    var name = ""
    while let scalar = next, scalar != "}" {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard take("}") else { throw .syntax("\"\\p{\" is never closed.") }
    guard let property = ScalarProperty(named: name) else {
      throw .unsupported("The Unicode property \"\(name)\" is not supported.")
    }
    return property
  }
}
