/// A Unicode property that a pattern names with `\p{…}`.
enum ScalarProperty: Sendable, Hashable {
  case categories(CategorySet)
  case binary(BinaryProperty)

  func holds(for scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .categories(let categories): categories.holds(for: scalar)
    case .binary(let property): property.holds(for: scalar)
    }
  }

  /// The ASCII characters with the property.
  var ascii: ASCIISet {
    switch self {
    case .categories(let categories): return categories.ascii
    case .binary(let property):
      var members = ASCIISet()
      for byte in UInt8(0)..<128 { members.set(byte, property.holds(for: Unicode.Scalar(byte))) }
      return members
    }
  }

  /// The meaning of a name in `\p{…}`: a property to test, or a list of members from a table.
  enum Meaning {
    case property(ScalarProperty)
    case ranges([ClosedRange<UInt32>])
  }

  /// Returns the meaning of the text between the braces, or `nil` if ECMA-262 lists no such
  /// property.
  static func meaning(of text: String) -> Meaning? {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      if let categories = CategorySet(named: text) { return .property(.categories(categories)) }
      if let ranges = emoji(text) { return .ranges(ranges) }
      return BinaryProperty(named: text).map { .property(.binary($0)) }
    }
    let value = String(text[text.index(after: equals)...])
    switch text[..<equals] {
    case "General_Category", "gc":
      return CategorySet(named: value).map { .property(.categories($0)) }
    case "Script", "sc": return ScalarScript.ranges(of: value).map { .ranges($0) }
    case "Script_Extensions", "scx": return ScalarScript.extended(value).map { .ranges($0) }
    default: return nil
    }
  }

  /// Returns the members of an emoji property that Swift's standard library doesn't know.
  private static func emoji(_ name: String) -> [ClosedRange<UInt32>]? {
    switch name {
    case "Emoji_Component", "EComp": TableRow.find("Emoji_Component", in: EmojiTable.text)?.ranges
    case "Extended_Pictographic", "ExtPict":
      TableRow.find("Extended_Pictographic", in: EmojiTable.text)?.ranges
    case "Regional_Indicator", "RI": [0x1F1E6...0x1F1FF]
    default: nil
    }
  }
}
