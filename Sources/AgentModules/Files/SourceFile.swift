package import AgentJSON
package import JSONSchema

/// A JSON file that a person wrote. It creates problems with places in the file.
package struct SourceFile: Sendable {
  /// The file's name in messages.
  package let name: String
  package let document: JSONDocument

  package init(name: String, document: JSONDocument) {
    self.name = name
    self.document = document
  }

  /// Reads and parses a file.
  /// - Throws: the problem of a file that can't be read or isn't JSON.
  package static func read(_ path: String, named name: String) throws(Problem) -> SourceFile {
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.read(path)
    } catch {
      throw Problem(error.code, file: name, message: error.message)
    }
    return try parse(bytes, named: name)
  }

  /// Parses bytes that the caller has read.
  package static func parse(_ bytes: [UInt8], named name: String) throws(Problem) -> SourceFile {
    guard bytes.contains(where: { !isSpace($0) }) else {
      throw Problem(
        "file_empty", file: name, message: "the file is empty. At the least it holds {}.",
        expected: "an object", found: "nothing")
    }
    do {
      return SourceFile(name: name, document: try JSONDocument(parsing: bytes))
    } catch {
      throw Problem(
        snakeCase(error.code.rawValue), file: name, place: error.place, message: error.message)
    }
  }

  /// Returns a code in the form of all codes: `trailing_comma`.
  static func snakeCase(_ word: String) -> String {
    word.reduce(into: "") { text, letter in
      text += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Returns a problem at a node, or at the key of one of its members.
  package func problem(
    _ code: String, at pointer: JSONPointer, key: String? = nil, message: String,
    expected: String? = nil, found: String? = nil, suggestion: String? = nil,
    severity: Problem.Severity = .error
  ) -> Problem {
    var problem = Problem(
      code, file: name, place: place(of: pointer, key: key), path: pointer.dotted,
      message: message, expected: expected, found: found, suggestion: suggestion,
      severity: severity)
    problem.pointer = pointer
    return problem
  }

  /// Returns the problem for a schema's failure in the part of this file at `prefix`.
  package func problem(_ failure: SchemaFailure, under prefix: JSONPointer = .root) -> Problem {
    let pointer = JSONPointer(tokens: prefix.tokens + failure.instance.tokens)
    return problem(
      Self.code(of: failure), at: pointer, key: failure.key, message: failure.message,
      expected: failure.expected, found: failure.found, suggestion: failure.suggestion,
      severity: failure.severity == .warning ? .warning : .error)
  }

  /// Returns the place of a value. A value that isn't in the file, such as a default, has the place
  /// of the nearest value around it.
  package func place(of pointer: JSONPointer, key: String? = nil) -> JSONPlace? {
    var pointer = pointer
    while true {
      if let node = document.node(at: pointer) {
        let member = key.flatMap { key in node.members.first { $0.key == key } }
        return member?.keyPlace ?? node.place
      }
      guard let parent = pointer.parent else { return nil }
      pointer = parent
    }
  }

  static func code(of failure: SchemaFailure) -> String {
    if failure.schema.tokens.contains("propertyNames") { return "invalid_key" }
    return switch failure.keyword {
    case "additionalProperties", "unevaluatedProperties": "unknown_key"
    case "required", "dependentRequired": "missing_key"
    case "type": "wrong_type"
    case "enum", "const": "wrong_value"
    default: "invalid_value"
    }
  }
}
