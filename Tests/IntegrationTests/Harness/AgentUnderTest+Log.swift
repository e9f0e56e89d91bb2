import AgentJSON

extension AgentUnderTest {
  /// The records in a process's log file; the host's own with `agent`.
  func records(of name: String) -> [JSONValue] {
    let file = ".agent/logs/\(name).jsonl"
    guard let text = try? folder.text(file) else { return [] }
    return text.split(separator: "\n").compactMap { try? JSONValue(parsing: String($0)) }
  }

  /// The messages in a process's log file.
  func messages(of name: String) -> [String] {
    records(of: name).compactMap { $0["message"]?.string }
  }

  /// Waits for a record whose message has a text in it.
  @discardableResult func record(
    of name: String, with text: String, within limit: Duration = .longest
  ) async throws -> JSONValue {
    try await eventually("\(name) logs \"\(text)\"", within: limit, said: { self.said }) {
      records(of: name).first { $0["message"]?.string?.contains(text) == true }
    }
  }
}
