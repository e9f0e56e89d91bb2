public import AgentJSON

/// What a schema says of a value that fits it, without demanding anything.
public struct SchemaAnnotation: Hashable, Sendable {
  /// The keyword, such as `title`; of the latest drafts also one that isn't known.
  public let keyword: String
  /// The value that it is about.
  public let instance: JSONPointer
  /// The way through the schema to the keyword, through references too.
  public let schema: JSONPointer
  /// The keyword's address, where its schema has one.
  public let address: String?
  /// What the keyword says: its own value, or for keywords with schemas in them what those were
  /// applied to.
  public let value: JSONValue
}

extension Schema {
  /// What the schema says of `node`, outer schemas first; nothing for a value that doesn't fit. Of a
  /// schema that comes back to the same value without end, what was found in reasonable time.
  public func annotations(for node: JSONNode) -> [SchemaAnnotation] {
    let root = report(on: node).root
    guard root.isValid else { return [] }
    return root.withCondensedChildren().flattened.compactMap { unit in
      unit.annotation.map { value in
        SchemaAnnotation(
          keyword: unit.path.last ?? "", instance: JSONPointer(tokens: unit.instance),
          schema: JSONPointer(tokens: unit.path), address: unit.address, value: value)
      }
    }
  }

  /// What the schema says of `value`.
  public func annotations(for value: JSONValue) -> [SchemaAnnotation] {
    annotations(for: JSONDocument(value).root)
  }
}
