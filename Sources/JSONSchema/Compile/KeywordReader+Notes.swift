import AgentJSON

extension KeywordReader {
  /// What the schema says without demanding it.
  mutating func notes() -> SchemaNotes {
    var notes = SchemaNotes()
    notes.title = text("title")
    notes.description = text("description")
    notes.defaultValue = schema["default"]
    notes.messages = messages()
    for key in ["deprecated", "readOnly", "writeOnly"] { _ = flag(key) }
    _ = list("examples")
    for (key, value) in schema where value.bool == true { notes.marks.append(key) }
    return notes
  }

  /// `errorMessage`: a text for every keyword, or an object of texts by keyword.
  private mutating func messages() -> [String: String] {
    guard let value = schema["errorMessage"] else { return [:] }
    if let text = value.string { return ["": text] }
    guard let object = value.object else {
      refuse("errorMessage", "\"errorMessage\" must be a text or an object of texts by keyword.")
      return [:]
    }
    var messages: [String: String] = [:]
    for (key, value) in object { messages[key] = value.string }
    return messages
  }
}
