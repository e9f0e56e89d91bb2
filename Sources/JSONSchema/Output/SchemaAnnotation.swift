public import AgentJSON

/// A remark of a schema about a value that fits it.
public struct SchemaAnnotation: Hashable, Sendable {
  /// The keyword, such as `title`. In the latest drafts it may be one that isn't known.
  public let keyword: String
  /// The place of the value.
  public let instance: JSONPointer
  /// The way through the schema to the keyword, through references too.
  public let schema: JSONPointer
  /// The keyword's address, where its schema has one.
  public let address: String?
  /// The keyword's own value. For keywords with schemas in them it has the parts to which these
  /// were applied.
  public let value: JSONValue
}

extension Schema {
  /// The schema's remarks about `node`, outer schemas first; none for a value that doesn't fit. For
  /// a schema that multiplies itself, the remarks that were found before the steps of a check ran
  /// out.
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

  /// The schema's remarks about `value`.
  public func annotations(for value: JSONValue) -> [SchemaAnnotation] {
    annotations(for: JSONDocument(value).root)
  }
}
