import AgentJSON

extension Evaluation {
  /// Checks a text by `contentEncoding` and `contentMediaType`, if the options make them
  /// assertions.
  mutating func checkContent(_ rule: ContentRule, _ subject: Subject) -> Bool {
    guard let text = subject.node.string else { return true }
    switch rule.fault(in: text) {
    case nil: return true
    case .base64?: return fail("contentEncoding", subject: subject, explanation: .notBase64(text))
    case .json(let error)?:
      return fail("contentMediaType", subject: subject, explanation: .notJSON(text, error))
    }
  }
}

extension ContentRule {
  enum Fault {
    case base64
    case json(JSONParseError)
  }

  /// Returns the reason why a text doesn't have its form, or `nil` if it does.
  func fault(in text: String) -> Fault? {
    let decoded = isBase64 ? JSONBase64.decode(text) : Array(text.utf8)
    guard let bytes = decoded else { return .base64 }
    guard isJSON else { return nil }
    do {
      _ = try JSONDocument(parsing: bytes)
      return nil
    } catch {
      return .json(error)
    }
  }
}

extension Explanation {
  fileprivate static func notBase64(_ text: String) -> Explanation {
    Explanation(expected: "a text encoded as base64", found: FoundText.quoted(text))
  }

  fileprivate static func notJSON(_ text: String, _ error: JSONParseError) -> Explanation {
    Explanation(
      expected: "a text that holds JSON", found: FoundText.quoted(text),
      suggestion: "\(error)")
  }
}
