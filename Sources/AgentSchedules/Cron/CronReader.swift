import AgentText

/// Reads a cron expression, field by field.
struct CronReader {
  /// A part of the text in upper case, with its column.
  struct Word {
    var bytes: ArraySlice<UInt8>
    var column: Int

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns the parts between `separator`, each with its column.
    func split(at separator: Character) -> [Word] {
      let byte = separator.asciiValue ?? 0
      var column = column
      return bytes.split(separator: byte, omittingEmptySubsequences: false).map { piece in
        defer { column += piece.count + 1 }
        return Word(bytes: piece, column: column)
      }
    }

    /// Returns the word without some of its first or last letters.
    func dropping(first: Int = 0, last: Int = 0) -> Word {
      Word(bytes: bytes.dropFirst(first).dropLast(last), column: column + first)
    }
  }

  /// The largest length of an expression. Messages quote the text, so they would become too long.
  static let longest = 512

  let words: [Word]
  let tooLong: Bool
  let wrongCharacter: (column: Int, text: String)?
  var result = CronExpression()

  init(_ text: String) {
    tooLong = text.utf8.count > Self.longest
    var words: [Word] = []
    var word: Word?
    wrongCharacter = tooLong ? nil : Self.wrongCharacter(of: text)
    // The checks above admit only ASCII, so one byte is one character.
    for (index, byte) in text.utf8.prefix(Self.longest).enumerated() {
      if byte == 0x20 || byte == 0x09 {
        if let word { words.append(word) }
        word = nil
      } else {
        let upper = byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte
        if word == nil { word = Word(bytes: [], column: index + 1) }
        word?.bytes.append(upper)
      }
    }
    if let word { words.append(word) }
    self.words = words
  }

  private static func wrongCharacter(of text: String) -> (column: Int, text: String)? {
    for (index, character) in text.enumerated() {
      guard let byte = character.asciiValue, byte == 9 || (0x20..<0x7f).contains(byte),
        character != "\r\n"
      else {
        return (index + 1, String(String.UnicodeScalarView(character.unicodeScalars.prefix(4))))
      }
    }
    return nil
  }

  mutating func expression() throws(CronError) -> CronExpression {
    if tooLong {
      throw CronError(
        .syntax, column: 1,
        "longer than \(Self.longest) characters. Five or six short fields are expected.")
    }
    if let wrongCharacter {
      throw CronError(
        .syntax, column: wrongCharacter.column,
        "found the character \(wrongCharacter.text.debugDescription). Letters, digits and * ? , - / # are used, with blanks between the fields."
      )
    }
    if let first = words.first, first.bytes.first == UInt8(ascii: "@") {
      return try nickname(first)
    }
    guard words.count == 5 || words.count == 6 else { throw wrongCount() }
    let fields = words.count == 6 ? CronField.allCases : Array(CronField.allCases.dropFirst())
    for (field, word) in zip(fields, words) { try read(word, of: field) }
    guard result.everFires else {
      throw CronError(
        .neverFires, field: .dayOfMonth, column: words[words.count - 3].column,
        "there is never such a day: no month that is meant has a day that is meant. Change the day of month or the month."
      )
    }
    return result
  }

  private func wrongCount() -> CronError {
    let found = words.isEmpty ? "nothing" : words.count == 1 ? "1 field" : "\(words.count) fields"
    return CronError(
      .fields, column: words.count > 6 ? words[6].column : 1,
      "found \(found). An expression has five: minute, hour, day of month, month, day of week; with six the first is the second. Example: 0 2 * * MON"
    )
  }

  /// Reads `@daily` and similar words, as in Debian's crontab(5).
  private func nickname(_ word: Word) throws(CronError) -> CronExpression {
    let known = [
      "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *",
      "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
      "@hourly": "0 * * * *",
    ]
    let name = word.text.lowercased()
    if name == "@reboot" {
      throw CronError(
        .unsupported, column: word.column,
        "@reboot isn't a time. Let a process of the agent do it when it starts, or give the schedule a date."
      )
    }
    guard let text = known[name] else {
      let nearest = NameSuggestion.of(name, among: known.keys.sorted())
      throw CronError(
        .unknownName, column: word.column,
        "found \(name). Known are @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly."
          + NameSuggestion.question(nearest, quote: ""))
    }
    if words.count > 1 {
      throw CronError(
        .fields, column: words[1].column,
        "found \(words[1].text) after \(name), which must be alone.")
    }
    var reader = CronReader(text)
    return try reader.expression()
  }
}
