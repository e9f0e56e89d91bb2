public import AgentJSON

/// Lists what a schema declares, in another way than ``SchemaSampler``: it walks all keywords that hold
/// schemas. What it finds and a sampler doesn't reach isn't tried by any test of extremes.
public struct DeclaredFields {
  /// Keywords whose schema is about the value itself.
  private static let same = ["then", "else", "if"]
  /// Keywords with a list of such schemas.
  private static let lists = ["anyOf", "oneOf", "allOf"]

  private let sampler: SchemaSampler

  public init(_ sampler: SchemaSampler) { self.sampler = sampler }

  /// The fields of a schema that no text of the sampler has.
  public func missed(of schema: JSONValue) -> [SchemaSampler.Field] {
    let mark = "\"a mark that is nowhere else\""
    let reached = sampler.fields(of: schema).filter {
      sampler.text(for: schema, with: mark, at: $0.field).contains(mark)
    }
    return all(of: schema).subtracting(reached.map(\.field)).sorted { $0.joined() < $1.joined() }
  }

  /// All of them, no deeper than the sampler goes.
  public func all(of schema: JSONValue) -> Set<SchemaSampler.Field> {
    var found: Set<SchemaSampler.Field> = []
    var seen: Set<String> = []
    walk(schema, at: [], &found, &seen)
    return found
  }

  private func walk(
    _ schema: JSONValue, at field: SchemaSampler.Field, _ found: inout Set<SchemaSampler.Field>,
    _ seen: inout Set<String>
  ) {
    guard schema.object != nil, field.count <= SchemaSampler.maxDepth else { return }
    if let name = schema["$ref"]?.string {
      // A schema that leads back to itself in one place says nothing new there.
      guard seen.insert("\(name) \(field)").inserted else { return }
      return walk(sampler.resolved(schema), at: field, &found, &seen)
    }
    func descend(_ member: JSONValue, _ key: String) {
      guard field.count + 1 < SchemaSampler.maxDepth else { return }
      found.insert(field + [key])
      walk(member, at: field + [key], &found, &seen)
    }
    for (key, member) in schema["properties"]?.object ?? [:] { descend(member, key) }
    for (_, member) in schema["patternProperties"]?.object ?? [:] {
      descend(member, SchemaSampler.anyKey)
    }
    if let member = schema["additionalProperties"], member.object != nil {
      descend(member, SchemaSampler.anyKey)
    }
    for items in schema["prefixItems"]?.array ?? [] { descend(items, SchemaSampler.item) }
    if let items = schema["items"], items.object != nil { descend(items, SchemaSampler.item) }
    let others =
      Self.same.compactMap { schema[$0] } + Self.lists.flatMap { schema[$0]?.array ?? [] }
    for other in others { walk(other, at: field, &found, &seen) }
  }
}
