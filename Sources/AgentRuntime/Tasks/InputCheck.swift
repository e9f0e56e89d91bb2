internal import AgentJSON
internal import JSONSchema

/// Looks at inputs by a schema that was compiled once.
struct InputCheck: Sendable {
  private let schema: Schema
  private let name: String

  /// - Parameter name: of what takes the input, for people.
  init?(_ schema: JSONValue?, for name: String) {
    guard let schema, let compiled = try? Schema(schema) else { return nil }
    (self.schema, self.name) = (compiled, name)
  }

  /// What isn't right, in sentences; nothing given is as an empty object.
  func problems(with input: JSONValue) -> [String] {
    let document = JSONDocument(input.isNull ? [:] : input)
    let failures = schema.validate(document.root)
    guard failures.contains(where: { $0.severity == .error }) else { return [] }
    return [
      HostError("The input isn't what \(name) takes", failures, of: schema, for: document).message
    ]
  }
}
