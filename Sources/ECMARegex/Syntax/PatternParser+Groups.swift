extension PatternParser {
  /// Reads a group after its opening parenthesis.
  mutating func group() throws(PatternError) -> PatternTree {
    let start = position - 1
    let outer = flags
    defer { flags = outer }
    guard take("?") else {
      groupCount += 1
      let number = groupCount
      return .group(try inside(start), number: number)
    }
    if take(":") { return try inside(start) }
    if take("=") { return try look(start, isBehind: false, isNegated: false) }
    if take("!") { return try look(start, isBehind: false, isNegated: true) }
    if take("<", "=") { return try look(start, isBehind: true, isNegated: false) }
    if take("<", "!") { return try look(start, isBehind: true, isNegated: true) }
    if take("<") {
      groupCount += 1
      let number = groupCount
      let name = try groupName(start)
      guard names.updateValue(number, forKey: name) == nil else {
        throw .syntax("The group", at: start, "has the name \"\(name)\", which is taken.")
      }
      return .group(try inside(start), number: number)
    }
    try modifiers(start)
    return try inside(start)
  }

  private mutating func inside(_ start: Int) throws(PatternError) -> PatternTree {
    let tree = try choice()
    guard take(")") else {
      throw .syntax("The group opened", at: start, "isn't closed. For the sign write \"\\(\".")
    }
    return tree
  }

  private mutating func look(
    _ start: Int, isBehind: Bool, isNegated: Bool
  ) throws(PatternError) -> PatternTree {
    hasLooks = true
    let tree = try inside(start)
    endsLook = true
    return .look(tree, PatternTree.Look(isBehind: isBehind, isNegated: isNegated))
  }

  /// Reads a name and the bracket after it.
  mutating func groupName(_ start: Int) throws(PatternError) -> String {
    var name = String.UnicodeScalarView()
    while let scalar = take() {
      if scalar == ">", !name.isEmpty { return String(name) }
      let value = scalar == "\\" && take("u") ? try unicodeEscape(position - 2) : scalar.value
      guard let part = Unicode.Scalar(value), Self.isName(part, isFirst: name.isEmpty) else {
        break
      }
      name.append(part)
    }
    throw .syntax("The group name", at: start, "isn't letters, digits and \"_\" ended by \">\".")
  }

  private static func isName(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
    if scalar == "$" || scalar == "_" { return true }
    if isFirst { return scalar.properties.isIDStart }
    // Zero-width joiners are allowed too.
    return scalar.properties.isIDContinue || scalar.value == 0x200C || scalar.value == 0x200D
  }

  /// Reads `i`, `m` and `s`, those to switch off after a minus sign, and the colon.
  private mutating func modifiers(_ start: Int) throws(PatternError) {
    var isOn = true
    var seen: [Unicode.Scalar] = []
    while let mark = take() {
      if mark == ":", !(seen.isEmpty) { return }
      if mark == "-", isOn {
        isOn = false
        continue
      }
      guard !seen.contains(mark) else { break }
      seen.append(mark)
      switch mark {
      case "i": flags.ignoresCase = isOn
      case "m": flags.isMultiline = isOn
      case "s": flags.dotIsAll = isOn
      case ")":
        throw .unsupported(
          "The modifiers", at: start, "have no group. Put what they are for into \"(?i:…)\".")
      case "P":
        throw .unsupported(
          "The group", at: start, "is named in Python's way. Write \"(?<name>…)\".")
      case ">":
        throw .unsupported(
          "The group", at: start, "is atomic, which ECMA-262 doesn't have. Write \"(?:…)\".")
      default: throw unknown(start)
      }
    }
    throw unknown(start)
  }

  private func unknown(_ start: Int) -> PatternError {
    .syntax("The \"(?\"", at: start, "opens no kind of group that ECMA-262 knows.")
  }
}
