import AgentText

extension UnitHint {
  /// Creates the unit of a number from its key (`timeout_ms`), or from the texts of its schema.
  init?(key: String?, notes: [SchemaNotes]) {
    let words = key.map(NameWords.of) ?? []
    if let last = words.last, words.count > 1 || last.count > 3, let unit = Self(word: last) {
      self = unit
      return
    }
    let said = notes.lazy.flatMap { [$0.title, $0.description].compactMap(\.self) }
    guard let unit = said.compactMap(Self.named).first else { return nil }
    self = unit
  }

  /// Returns the unit that a description names: `Seconds: …`, `how long, in seconds`, `(ms)`. Other
  /// mentions of a unit may have another meaning.
  private static func named(in text: String) -> UnitHint? {
    var before: Substring?
    for piece in text.split(whereSeparator: \.isWhitespace) {
      defer { before = piece }
      let word = piece.filter { $0.isLetter || $0 == "%" }
      // Short words often have another meaning.
      guard word.count > 3 || word == "ms" || word == "%", let unit = UnitHint(word: word) else {
        continue
      }
      guard let before, !piece.hasPrefix("(") else { return unit }
      if before.hasSuffix(":") || measures.contains(before.lowercased()) { return unit }
    }
    return nil
  }

  private static let measures: Set = ["in", "of", "many", "unit"]
}
