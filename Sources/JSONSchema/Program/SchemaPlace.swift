import AgentJSON

/// The way from a document's root to a place in it. Places share the ways to their holders.
final class SchemaPath: Sendable {
  /// The way to what holds the place; nil for the root.
  let holder: SchemaPath?
  /// The key or index in the holder.
  let token: String
  /// How many tokens the way has.
  let depth: Int

  /// The way to a root.
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

  /// The tokens after the first `start` ones.
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

/// A place in one of the documents that are being compiled together.
struct SchemaPlace {
  /// The role of a place in its document.
  enum Role {
    case schema
    /// It is a list or an object of schemas.
    case schemas
    /// It is neither, unless a reference makes it a schema.
    case other
  }

  let path: SchemaPath
  let document: Int
  /// The place that holds it; nil for a root.
  let holder: Int?
  let value: JSONValue
  var role: Role
  /// The schema resource that it belongs to.
  var resource: Int
  /// The node that it is compiled to; negative as long as it isn't.
  var node = -1
  /// Whether the addresses in it have been noted.
  var isScanned = false
}

/// A schema with an address of its own, and the anchors in it.
struct SchemaResource {
  /// The reason why its dialect isn't known.
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
