import AgentJSON

extension SchemaCompiler {
  private static let noted: KeywordSet = [
    .title, .description, .default, .examples, .deprecated, .readOnly, .writeOnly, .errorMessage,
  ]

  /// Returns the annotations of the current schema, which demand nothing.
  mutating func notes() -> SchemaNotes {
    var notes = SchemaNotes()
    notes.marks = reader.marks
    guard !reader.present.isDisjoint(with: Self.noted) else { return notes }
    notes.title = reader.text(.title)
    notes.description = reader.text(.description)
    notes.defaultValue = reader[.default]
    notes.messages = messages()
    // They are read only to find faults. `marks` contains those that are true.
    for keyword in [KeywordName.deprecated, .readOnly, .writeOnly] { _ = reader.flag(keyword) }
    notes.examples = reader.list(.examples) ?? []
    return notes
  }

  private mutating func messages() -> SchemaMessages {
    guard let value = reader[.errorMessage] else { return SchemaMessages() }
    if let messages = SchemaMessages(value) { return messages }
    reader.refuse(.errorMessage, "must be a text or an object of texts by keyword.")
    return SchemaMessages()
  }
}
