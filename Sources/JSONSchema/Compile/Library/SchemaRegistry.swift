public import AgentJSON

/// The schemas to which other schemas may refer. No reference is ever fetched.
public struct SchemaRegistry: Sendable {
  private(set) var documents: [String: JSONValue] = [:]

  /// Makes an empty registry.
  public init() {}

  /// Makes `schema` known under `uri`, such as `agent:output`, in place of an earlier one.
  ///
  /// Faults in it are reported when a schema that refers to it is compiled.
  public mutating func register(_ uri: String, _ schema: JSONValue) {
    documents[URIReference(uri).withoutFragment.description] = schema
  }
}
