public import AgentJSON

/// An annotation of a schema for a matching value.
public struct SchemaAnnotation: Hashable, Sendable {
  /// The keyword, such as `title`. In the latest drafts it may be an unknown one.
  public let keyword: String
  /// The location of the value.
  public let instance: JSONPointer
  /// The path through the schema to the keyword, including references.
  public let schema: JSONPointer
  /// The keyword's address, if its schema has one.
  public let address: String?
  /// The keyword's value. For keywords with subschemas, the parts to which these were applied.
  public let value: JSONValue
}

extension Schema {
  /// Returns the schema's annotations for `node`, those of outer schemas first. The result is empty
  /// if the value doesn't match. For a schema that multiplies itself, it contains the annotations
  /// that were found before the steps of the check ran out.
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

  /// Returns the schema's annotations for `value`.
  public func annotations(for value: JSONValue) -> [SchemaAnnotation] {
    annotations(for: JSONDocument(value).root)
  }
}
