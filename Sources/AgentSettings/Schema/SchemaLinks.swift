import AgentJSON

/// Redirects the references of a schema that becomes a part of another document.
struct SchemaLinks {
  /// The new place of the schema, such as `#/$defs/trades.monitor.x`.
  let here: String

  /// Returns the schema with new references. `#/…` leads to the schema's new place. `agent:NAME`
  /// leads to the definition of that name, because editors don't know it. A schema with an `$id`
  /// stays as it is, because its references are relative to that id.
  func moved(_ schema: JSONValue) -> JSONValue {
    switch schema {
    case .object(var object):
      if object["$id"] != nil { return schema }
      for (key, member) in object {
        object[key] = key == "$ref" ? member.string.map(target) ?? member : moved(member)
      }
      return .object(object)
    case .array(let elements): return .array(elements.map(moved))
    default: return schema
    }
  }

  private func target(_ reference: String) -> JSONValue {
    if reference == "#" { return .string(here) }
    if reference.hasPrefix("#/") { return .string(here + reference.dropFirst()) }
    if reference.hasPrefix("agent:") { return .string("#/$defs/" + reference.dropFirst(6)) }
    return .string(reference)
  }
}
