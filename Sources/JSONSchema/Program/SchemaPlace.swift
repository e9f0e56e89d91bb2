import AgentJSON

/// The path from a document's root to a place. Places share the paths of their holders.
final class SchemaPath: Sendable {
  /// The path of the holder. `nil` for the root.
  let holder: SchemaPath?
  /// The key or index in the holder.
  let token: String
  /// The number of tokens of the path.
  let depth: Int

  /// Creates the path of a root.
  init() {
    holder = nil
    token = ""
    depth = 0
  }

  init(_ token: String, in holder: SchemaPath) {
    self.holder = holder
    self.token = token
    depth = holder.depth + 1
  }

  /// Returns the tokens after the first `start` ones.
  func tokens(after start: Int = 0) -> [String] {
    var tokens: [String] = []
    var place = self
    while place.depth > start, let holder = place.holder {
      tokens.append(place.token)
      place = holder
    }
    return tokens.reversed()
  }

  var pointer: JSONPointer { JSONPointer(tokens: tokens()) }
}

/// A place in one of the documents of a compilation.
struct SchemaPlace {
  /// The role of a place in its document.
  enum Role {
    case schema
    /// It is a list or an object of schemas.
    case schemas
    /// It is neither a schema nor a container of schemas, unless a reference makes it a schema.
    case other
  }

  let path: SchemaPath
  let document: Int
  /// The index of the place that contains it. `nil` for a root.
  let holder: Int?
  let value: JSONValue
  var role: Role
  /// The schema resource of the place.
  var resource: Int
  /// The index of its node. Negative if it isn't compiled.
  var node = -1
  /// Whether the addresses in it were recorded.
  var isScanned = false
}

/// A schema with its own address, and the anchors in it.
struct SchemaResource {
  /// The reason why its dialect is unknown.
  struct Fault {
    let code: SchemaError.Code
    let message: String
  }

  let uri: URIReference
  let root: Int
  let rules: DialectRules
  /// Whether its root has `$recursiveAnchor: true`.
  let isRecursive: Bool
  var anchors: [String: Int] = [:]
  var dynamicAnchors: [String: Int] = [:]
  var fault: Fault?
}
