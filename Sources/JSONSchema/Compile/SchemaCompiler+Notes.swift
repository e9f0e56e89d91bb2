import AgentJSON

extension SchemaCompiler {
  private static let noted: KeywordSet = [
    .title, .description, .default, .examples, .deprecated, .readOnly, .writeOnly, .errorMessage,
  ]

  /// What the schema says without demanding it.
  mutating func notes() -> SchemaNotes {
    var notes = SchemaNotes()
    notes.marks = reader.marks
    guard !reader.present.isDisjoint(with: Self.noted) else { return notes }
    notes.title = reader.text(.title)
    notes.description = reader.text(.description)
    notes.defaultValue = reader[.default]
    notes.messages = messages()
    for keyword in [KeywordName.deprecated, .readOnly, .writeOnly] { _ = reader.flag(keyword) }
    _ = reader.list(.examples)
    return notes
  }

  /// `errorMessage`: a text for every keyword, or an object of texts by keyword.
  private mutating func messages() -> [String: String] {
    guard let value = reader[.errorMessage] else { return [:] }
    if let text = value.string { return ["": text] }
    guard let object = value.object else {
      reader.refuse(.errorMessage, "must be a text or an object of texts by keyword.")
      return [:]
    }
    var messages: [String: String] = [:]
    for (key, value) in object { messages[key] = value.string }
    return messages
  }
}
