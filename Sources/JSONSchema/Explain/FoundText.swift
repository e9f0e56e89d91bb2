import AgentJSON

/// Formats a value for a sentence: small values as JSON, long texts cut, lists by their size.
enum FoundText {
  private static let longest = 60

  static func of(_ node: JSONNode) -> String {
    switch node.kind {
    case .null: "null"
    case .bool: node.bool == true ? "true" : "false"
    case .number: number(node.number)
    case .string: quoted(node.string ?? "")
    case .array: node.count == 0 ? "an empty array" : "an array of \(node.count)"
    case .object: node.count == 0 ? "an empty object" : "an object"
    }
  }

  static func of(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .number(let value): number(value)
    case .string(let text): quoted(text)
    case .array(let array): array.isEmpty ? "an empty array" : "an array of \(array.count)"
    case .object(let object): object.count == 0 ? "an empty object" : "an object"
    }
  }

  /// Returns the text of a number. Many digits are cut.
  private static func number(_ number: JSONNumber?) -> String {
    guard let text = number?.text else { return "a number" }
    return text.utf8.count > longest ? text.prefix(longest) + "…" : text
  }

  /// Returns a text in quotes. A long one is cut.
  static func quoted(_ text: String) -> String {
    let short = text.unicodeScalars.prefix(longest)
    let isCut = short.endIndex < text.unicodeScalars.endIndex
    return JSONValue.string(String(short) + (isCut ? "…" : "")).text()
  }

  /// Returns `a`, `a or b`, or `a, b or c`.
  static func choice(_ items: [String], _ word: String = "or") -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " \(word) " + last
  }
}
