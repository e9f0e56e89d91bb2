package import AgentJSON
import AgentModules
import AgentSettings
package import JSONSchema

extension HostError {
  /// A request whose body doesn't fit its schema; `problems` has each failure with its place.
  ///
  /// - Parameters:
  ///   - schema: says which values are secret. Messages name only the type of those.
  ///   - body: the text as it was sent.
  package init(
    _ message: String, _ failures: [SchemaFailure], of schema: Schema?, in body: JSONDocument
  ) {
    let problems = SourceFile(name: "body", document: body).problems(failures)
    self.init(message, problems.hiding(SecretPlaces(schema, in: body.root), in: body))
  }

  /// A request with a value that doesn't fit its schema, the text of which isn't known any more.
  package init(
    _ message: String, _ failures: [SchemaFailure], of schema: Schema, for value: JSONDocument
  ) {
    let problems = SourceFile(name: "body", document: value).problems(failures)
      .hiding(SecretPlaces(schema, in: value.root), in: value)
    self.init(
      message,
      problems.map { problem in
        var problem = problem
        // Line and column would be those of a text that nobody has written.
        problem.place = nil
        return problem
      })
  }

  private init(_ message: String, _ problems: [Problem]) {
    let errors = problems.filter { $0.severity == .error }
    // Three fit into a sentence; all are in `problems`.
    let lines = errors.prefix(3).map { problem in
      problem.path.isEmpty ? problem.message : "\(problem.path): \(problem.message)"
    }
    let more = errors.count > 3 ? " (and \(errors.count - 3) more)" : ""
    self.init(
      .invalid, "\(message): \(lines.joined(separator: " "))\(more)",
      problems: errors.map(\.json))
  }
}
