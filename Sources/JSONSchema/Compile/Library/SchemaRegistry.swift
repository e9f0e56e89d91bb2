public import AgentJSON

/// The schemas that other schemas may refer to. References are never fetched.
public struct SchemaRegistry: Sendable {
  private(set) var documents: [String: JSONValue] = [:]

  /// Creates an empty registry.
  public init() {}

  /// Registers `schema` under `uri`, such as `agent:output`, and replaces an earlier one.
  ///
  /// Faults in it are reported when a schema that refers to it is compiled.
  public mutating func register(_ uri: String, _ schema: JSONValue) {
    documents[URIReference(uri).withoutFragment.description] = schema
  }
}
