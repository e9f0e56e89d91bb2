extension PatternParser {
  /// Reads an escape outside a class, after its backslash.
  mutating func escape() throws(PatternError) -> PatternTree {
    let start = position - 1
    switch next {
    case "b":
      position += 1
      return .assertion(flags.ignoresCase ? .foldedWordBoundary : .wordBoundary)
    case "B":
      position += 1
      return .assertion(flags.ignoresCase ? .notFoldedWordBoundary : .notWordBoundary)
    case "k":
      position += 1
      guard take("<") else {
        throw .syntax("The \"\\k\"", at: start, "needs a group's name, such as \"\\k<name>\".")
      }
      return reference(nil, name: try groupName(start), start: start)
    case .some(let digit) where ("1"..."9").contains(digit):
      return reference(number(), name: "", start: start)
    default: return .scalars(set(try members(start)))
    }
  }

  private mutating func reference(_ number: Int?, name: String, start: Int) -> PatternTree {
    let reference = PatternTree.Reference(
      number: number, name: name, ignoresCase: flags.ignoresCase, index: start)
    references.append(reference)
    return .reference(reference)
  }

  /// Returns the character that an escape represents.
  mutating func characterEscape(
    _ scalar: Unicode.Scalar, _ start: Int
  ) throws(PatternError) -> UInt32 {
    switch scalar {
    case "t": return 0x09
    case "n": return 0x0A
    case "v": return 0x0B
    case "f": return 0x0C
    case "r": return 0x0D
    case "0":
      guard let digit = next, ("0"..."9").contains(digit) else { return 0 }
      throw .syntax("The \"\\0\"", at: start, "is followed by a digit. Write \"\\x00\".")
    case "c": return try control(start)
    case "x":
      if let value = hexadecimal(2) { return value }
      throw .syntax("The \"\\x\"", at: start, "needs two hexadecimal digits.")
    case "u": return try unicodeEscape(start)
    default: return try identity(scalar, start)
    }
  }

  private func identity(_ scalar: Unicode.Scalar, _ start: Int) throws(PatternError) -> UInt32 {
    let isAlphanumeric = scalar.isASCII && scalar != "_" && ScalarSet.word.contains(scalar.value)
    guard isAlphanumeric else { return scalar.value }
    let advice =
      switch scalar {
      case "A": " Write \"^\"."
      case "z", "Z": " Write \"$\"."
      case "a": " Write \"\\x07\"."
      case "e": " Write \"\\x1B\"."
      case "h": " Write \"[ \\t]\"."
      default: ""
      }
    throw .syntax("The \"\\\(scalar)\"", at: start, "is no escape that ECMA-262 knows.\(advice)")
  }

  private mutating func control(_ start: Int) throws(PatternError) -> UInt32 {
    guard let letter = take(), letter.isASCII, letter.properties.isAlphabetic else {
      throw .syntax("The \"\\c\"", at: start, "needs a letter from A to Z.")
    }
    return letter.value % 32
  }

  private mutating func hexadecimal(_ digits: Int) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = take().flatMap(Self.hexDigit) else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  private static func hexDigit(_ scalar: Unicode.Scalar) -> UInt32? {
    guard scalar.isASCII else { return nil }
    return Character(scalar).hexDigitValue.flatMap { UInt32(exactly: $0) }
  }

  /// Reads the part after `\u`: four digits, two escapes of four digits for a surrogate pair, or
  /// digits in braces.
  mutating func unicodeEscape(_ start: Int) throws(PatternError) -> UInt32 {
    if take("{") {
      var value: UInt32 = 0
      var count = 0
      while let digit = next.flatMap(Self.hexDigit), value <= 0x10FFFF {
        value = value << 4 | digit
        count += 1
        position += 1
      }
      guard count > 0, value <= 0x10FFFF, take("}") else {
        throw .syntax("The \"\\u{\"", at: start, "needs hexadecimal digits up to 10FFFF and \"}\".")
      }
      return value
    }
    guard let lead = hexadecimal(4) else {
      throw .syntax("The \"\\u\"", at: start, "needs four hexadecimal digits, or \"{\".")
    }
    guard (0xD800..<0xDC00).contains(lead) else { return lead }
    let before = position
    if take("\\", "u"), let trail = hexadecimal(4), (0xDC00..<0xE000).contains(trail) {
      return 0x10000 + (lead - 0xD800) << 10 + (trail - 0xDC00)
    }
    // A single surrogate is allowed. No text contains one.
    position = before
    return lead
  }
}
