public import AgentJSON
package import AgentModules
public import JSONSchema

/// The places of a value that are never shown: those that its schema declares as secret
/// (`writeOnly`, or the format `password`), and those under keys that name a secret.
public struct SecretPlaces: Sendable {
  private let schema: Schema?
  private let marked: Set<JSONPointer>

  /// Finds the secret places in `node`, which `schema` describes.
  public init(_ schema: Schema?, in node: JSONNode) {
    self.schema = schema
    marked = Set(schema?.secrets(in: node) ?? [])
  }

  /// Returns whether the value at a place is secret or a part of a secret value.
  public func contains(_ pointer: JSONPointer) -> Bool {
    for length in 0...pointer.tokens.count
    where marked.contains(JSONPointer(tokens: Array(pointer.tokens.prefix(length)))) {
      return true
    }
    return pointer.tokens.contains(where: SecretNames.tells)
      && Self.mayBeText(at: pointer, by: schema)
  }

  /// Returns whether a schema permits a text at a place. `max_tokens` is a number and not a secret.
  static func mayBeText(at pointer: JSONPointer, by schema: Schema?) -> Bool {
    let kinds = schema?.kinds(at: pointer) ?? []
    return kinds.isEmpty || !kinds.isSubset(of: [.number, .bool, .null])
  }
}

extension Problem {
  /// Replaces the value in the message by its type.
  ///
  /// - Parameter kind: the type of the value. Nil means that there is no value.
  package mutating func hideValue(_ kind: JSONKind?) {
    found = kind.map(Self.phrase) ?? "nothing"
    suggestion = nil
    guard code == "wrong_type" else {
      message = "expected \(expected ?? "something else"). The value is secret and isn't shown."
      return
    }
    message =
      "expected \(expected ?? "something else"), found \(found ?? ""). The value is secret and "
      + "isn't shown."
  }

  private static func phrase(_ kind: JSONKind) -> String {
    switch kind {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension [Problem] {
  /// Returns the problem with the values of secret places hidden.
  package func hiding(_ places: SecretPlaces, in document: JSONDocument) -> [Problem] {
    map { problem in
      guard let pointer = problem.pointer, places.contains(pointer) else { return problem }
      var problem = problem
      problem.hideValue(document.node(at: pointer)?.kind)
      return problem
    }
  }
}
