public import AgentJSON
package import AgentModules
public import JSONSchema

/// Where a value holds what is shown to nobody: what its schema calls secret (`writeOnly`, or the
/// format `password`), and what stands under keys that speak of secrets.
public struct SecretPlaces: Sendable {
  private let schema: Schema?
  private let marked: Set<JSONPointer>

  /// The places in `node`, which `schema` describes.
  public init(_ schema: Schema?, in node: JSONNode) {
    self.schema = schema
    marked = Set(schema?.secrets(in: node) ?? [])
  }

  /// Whether what stands there is secret, or is part of something that is.
  public func contains(_ pointer: JSONPointer) -> Bool {
    for length in 0...pointer.tokens.count
    where marked.contains(JSONPointer(tokens: Array(pointer.tokens.prefix(length)))) {
      return true
    }
    guard pointer.tokens.contains(where: SecretNames.tells) else { return false }
    // `max_tokens` is a number, and no secret.
    let kinds = schema?.kinds(at: pointer) ?? []
    return kinds.isEmpty || !kinds.isSubset(of: [.number, .bool, .null])
  }
}

extension Problem {
  /// Says of the value only of what type it is.
  ///
  /// - Parameter kind: the value's; nil where there is none.
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
  /// The same with the values of secret places hidden.
  package func hiding(_ places: SecretPlaces, in document: JSONDocument) -> [Problem] {
    map { problem in
      guard let pointer = problem.pointer, places.contains(pointer) else { return problem }
      var problem = problem
      problem.hideValue(document.node(at: pointer)?.kind)
      return problem
    }
  }
}
