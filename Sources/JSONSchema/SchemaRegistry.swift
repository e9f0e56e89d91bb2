public import AgentJSON

/// The schemas that other schemas may refer to. Nothing else can be referred to: a reference is
/// never fetched.
public struct SchemaRegistry: Sendable {
  private(set) var documents: [String: JSONValue] = [:]

  /// An empty registry.
  public init() {}

  /// Makes `schema` known under `uri`, such as `agent:output`; the latest one of a name counts.
  ///
  /// The schema is looked at when a schema that refers to it is compiled, and faults in it are
  /// reported then.
  public mutating func register(_ uri: String, _ schema: JSONValue) {
    documents[URIReference(uri).withoutFragment.description] = schema
  }
}
