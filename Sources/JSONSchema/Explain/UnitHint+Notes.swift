import AgentText

extension UnitHint {
  /// The unit of a number by its key (`timeout_ms`), or else by what its schema says about it.
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

  /// The unit that a description measures in: `Seconds: …`, `how long, in seconds`, `(ms)`. Any
  /// other mention of one may be about something else.
  private static func named(in text: String) -> UnitHint? {
    var before: Substring?
    for piece in text.split(whereSeparator: \.isWhitespace) {
      defer { before = piece }
      let word = piece.filter { $0.isLetter || $0 == "%" }
      // Short ones are words of other meaning as well.
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
