import AgentJSON
package import JSONSchema

extension SourceFile {
  /// Returns the problems for a schema's failures in this document, each with its place.
  package func problems(_ failures: [SchemaFailure]) -> [Problem] {
    let places = JSONPlaceIndex(document)
    return failures.map { failure in
      var problem = Problem(
        Self.code(of: failure), file: name, place: places.place(at: failure.range.lowerBound),
        path: failure.instance.dotted, message: failure.message, expected: failure.expected,
        found: failure.found, suggestion: failure.suggestion,
        severity: failure.severity == .warning ? .warning : .error)
      problem.pointer = failure.instance
      return problem
    }
  }

  /// Returns the problem for an error of the schema in this file.
  package func problem(_ fault: SchemaError) -> Problem {
    problem(Self.snakeCase(fault.code.rawValue), at: fault.pointer, message: fault.message)
  }
}
