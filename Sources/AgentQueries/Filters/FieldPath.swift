internal import AgentJSON

/// A parsed field name. A member with the dotted name wins over a nested one.
struct FieldPath: Sendable, Hashable {
  let name: String
  /// The parts between the dots. It is empty for a name without dots.
  private let parts: [String]

  init(_ name: String) {
    self.name = name
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    self.parts = parts.count > 1 ? parts : []
  }

  /// Returns the field's value in `object`. Nil means that the field is missing.
  func value(in object: JSONObject) -> JSONValue? {
    if let value = object[name] { return value }
    return parts.isEmpty ? nil : nested(in: object)
  }

  private func nested(in object: JSONObject) -> JSONValue? {
    guard var value = object[parts[0]] else { return nil }
    for part in parts.dropFirst() {
      guard case .object(let inner) = value, let next = inner[part] else { return nil }
      value = next
    }
    return value
  }
}
