import AgentJSON
import ECMARegex

extension Explanation {
  /// Returns the explanation for a text that doesn't match. It contains a title if there is one,
  /// because long patterns don't help people.
  static func pattern(
    _ pattern: Pattern, text: String, subject: Subject, location: ValueLocation
  ) -> Explanation {
    let expectedSchema = ExpectedSchema(program: location.program, schema: subject.schema)
    let notes = subject.schema.notes
    let note = notes.title ?? notes.description.map(firstSentence)
    let isLong = pattern.text.unicodeScalars.count > 60
    let shown = isLong ? String(pattern.text.unicodeScalars.prefix(60)) + "…" : pattern.text
    var expected = "a string that matches \(shown)"
    if let note { expected = isLong ? "\(note)" : "\(expected) (\(note))" }
    let repair = repaired(text, expectedSchema).map { "Write \(FoundText.quoted($0))." }
    let example = expectedSchema.example(of: .string).map { "Write a value such as \($0.text())." }
    return Explanation(
      expected: expected, found: FoundText.quoted(text), suggestion: repair ?? example)
  }

  static func format(_ format: Format, _ text: String) -> Explanation {
    Explanation(
      expected: format.expectation, found: FoundText.quoted(text),
      suggestion: format.reason(against: text))
  }

  /// Returns the text with usual mistakes corrected, if it then matches: surrounding blanks, case,
  /// separators, an additional slash, a blank before a unit.
  private static func repaired(_ text: String, _ expectedSchema: ExpectedSchema) -> String? {
    guard text.utf8.count <= 200 else { return nil }
    let trimmed = String(
      text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    let candidates = [trimmed, trimmed.lowercased(), trimmed.uppercased()].flatMap(variants)
    return candidates.first { !$0.isEmpty && $0 != text && expectedSchema.admits(.string($0)) }
  }

  private static func variants(of text: String) -> [String] {
    var variants = [text]
    for mark: Character in ["_", "-"] {
      variants.append(String(text.map { isSeparator($0) ? mark : $0 }))
    }
    variants.append(text.filter { !isSeparator($0) })
    variants.append("/" + text)
    variants.append(String(text.drop { $0 == "/" }))
    return variants
  }

  private static func isSeparator(_ letter: Character) -> Bool {
    letter == " " || letter == "-" || letter == "_"
  }
}
