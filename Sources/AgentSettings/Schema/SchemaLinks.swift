import AgentJSON

/// Redirects the references of a schema that becomes a part of another document.
struct SchemaLinks {
  /// Where the schema will be, such as `#/$defs/trades.monitor.x`.
  let here: String

  /// `#/…` leads to the schema's new place, and `agent:NAME`, which editors don't know, to the
  /// definition of that name. What has an `$id` stays as it is: its references start there.
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
