public import AgentJSON

/// Decides whether a refusal names the place of the value that was refused.
public struct RefusedPlace {
  /// The field of the value.
  public let field: SchemaSampler.Field

  public init(_ field: SchemaSampler.Field) { self.field = field }

  /// Whether a problem's path leads to the field, to what it holds, or to what holds it. The root
  /// holds everything, so it is no place.
  public func isNamed(by pointer: JSONPointer) -> Bool {
    !pointer.tokens.isEmpty
      && zip(pointer.tokens, field).allSatisfy { token, key in
        key == token || key == SchemaSampler.item || key == SchemaSampler.anyKey
      }
  }
}
