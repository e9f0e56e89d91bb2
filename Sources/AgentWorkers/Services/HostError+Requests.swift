package import AgentJSON
import AgentModules
import AgentSettings
package import JSONSchema

extension HostError {
  /// Creates the error of a request whose body doesn't fit its schema. `problems` has each failure
  /// with its place.
  ///
  /// - Parameters:
  ///   - schema: defines which values are secret. Messages name only the type of a secret value.
  ///   - body: the text as the client sent it.
  package init(
    _ message: String, _ failures: [SchemaFailure], of schema: Schema?, in body: JSONDocument
  ) {
    let problems = SourceFile(name: "body", document: body).problems(failures)
    self.init(message, problems.hiding(SecretPlaces(schema, in: body.root), in: body))
  }

  /// Creates the error of a request with a value that doesn't fit its schema. The client's text of
  /// the value isn't known any more, so the failures have no place.
  package init(
    _ message: String, _ failures: [SchemaFailure], of schema: Schema, for value: JSONDocument
  ) {
    let problems = SourceFile(name: "body", document: value).problems(failures)
      .hiding(SecretPlaces(schema, in: value.root), in: value)
    self.init(
      message,
      problems.map { problem in
        var problem = problem
        // The line and the column would belong to a text that no client has written.
        problem.place = nil
        return problem
      })
  }

  private init(_ message: String, _ problems: [Problem]) {
    let errors = problems.filter { $0.severity == .error }
    // Three problems fit into a sentence. All are in `problems`.
    let lines = errors.prefix(3).map { problem in
      problem.path.isEmpty ? problem.message : "\(problem.path): \(problem.message)"
    }
    let more = errors.count > 3 ? " (and \(errors.count - 3) more)" : ""
    self.init(
      .invalid, "\(message): \(lines.joined(separator: " "))\(more)",
      problems: errors.map(\.json))
  }
}
