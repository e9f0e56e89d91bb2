package import AgentJSON
internal import AgentModules
internal import JSONSchema

/// Checks inputs with a schema that is compiled once. If the schema can't be compiled, every input
/// is refused.
package struct InputCheck: Sendable {
  private let schema: Result<Schema, SchemaError>
  private let name: String

  /// Compiles a schema.
  /// - Parameter name: the name of the operation that has this input. Messages contain it.
  /// - Returns: `nil` if `schema` is `nil`.
  package init?(_ schema: JSONValue?, for name: String) {
    guard let schema else { return nil }
    self.name = name
    self.schema = Result { () throws(SchemaError) in
      try Schema(schema, registry: SharedSchemas.registry)
    }
  }

  /// Returns the problems with an input as sentences. The list is empty if the input is valid. Null
  /// is checked as an empty object.
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
