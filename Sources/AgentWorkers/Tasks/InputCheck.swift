package import AgentJSON
internal import AgentModules
internal import JSONSchema

/// Checks inputs with a schema that is compiled once. With a schema that can't be compiled every
/// input is refused.
package struct InputCheck: Sendable {
  private let schema: Result<Schema, SchemaError>
  private let name: String

  /// - Parameter name: of what takes the input, for people.
  /// - Returns: nil where there is no schema.
  package init?(_ schema: JSONValue?, for name: String) {
    guard let schema else { return nil }
    self.name = name
    self.schema = Result { () throws(SchemaError) in
      try Schema(schema, registry: SharedSchemas.registry)
    }
  }

  /// The problems in sentences; empty when there are none. Null counts as an empty object.
  package func problems(with input: JSONValue) -> [String] {
    let schema: Schema
    switch self.schema {
    case .success(let compiled): schema = compiled
    case .failure(let error): return ["The schema of \(name)'s input can't be used: \(error)"]
    }
    let document = JSONDocument(input.isNull ? [:] : input)
    let failures = schema.validate(document.root)
    guard failures.contains(where: { $0.severity == .error }) else { return [] }
    return [
      HostError("The input isn't what \(name) takes", failures, of: schema, for: document).message
    ]
  }
}
