/// The rules for code points that are only allowed beside certain neighbors (RFC 5892, appendix A).
struct LabelContext {
  private static let greek = ScalarRanges(scripts: "Greek")
  private static let hebrew = ScalarRanges(scripts: "Hebrew")
  private static let japanese = ScalarRanges(scripts: "Hiragana", "Katakana", "Han")

  private let label: [Unicode.Scalar]
  private let index: Int

  init(_ label: [Unicode.Scalar], _ index: Int) {
    self.label = label
    self.index = index
  }

  func admits(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C: followsVirama || joins
    case 0x200D: followsVirama
    case 0xB7: before == "l" && after == "l"
    case 0x375: after.map(Self.greek.contains) ?? false
    case 0x5F3, 0x5F4: before.map(Self.hebrew.contains) ?? false
    case 0x30FB: label.contains(where: Self.japanese.contains)
    case 0x660...0x669: !label.contains { (0x6F0...0x6F9).contains($0.value) }
    case 0x6F0...0x6F9: !label.contains { (0x660...0x669).contains($0.value) }
    default: false
    }
  }

  private var before: Unicode.Scalar? { index > 0 ? label[index - 1] : nil }

  private var after: Unicode.Scalar? { index + 1 < label.count ? label[index + 1] : nil }

  private var followsVirama: Bool {
    before?.properties.canonicalCombiningClass == .virama
  }

  /// Whether the letters on both sides, apart from transparent signs, would join here.
  private var joins: Bool {
    guard let before = label[..<index].last(where: { !$0.isTransparent }),
      let after = label[(index + 1)...].first(where: { !$0.isTransparent })
    else { return false }
    return (JoiningType.dual.contains(before) || JoiningType.left.contains(before))
      && (JoiningType.dual.contains(after) || JoiningType.right.contains(after))
  }
}

extension Unicode.Scalar {
  /// Whether Joining_Type is T. Unicode derives it from the category. The Cf characters with this
  /// type aren't allowed in labels.
  fileprivate var isTransparent: Bool {
    properties.generalCategory == .nonspacingMark || properties.generalCategory == .enclosingMark
  }
}
