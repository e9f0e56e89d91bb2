import AgentJSON

/// Makes a schema accept `${env:…}` and `${secret:…}` wherever it asks for something else than a
/// text.
enum ReferenceTolerance {
  /// The schema with every value's place open to references.
  static func applied(to schema: JSONValue) -> JSONValue {
    guard case .object(var object) = schema else { return schema }
    for key in maps {
      guard case .object(var members)? = object[key] else { continue }
      for name in members.keys { members[name] = members[name].map(place) }
      object[key] = .object(members)
    }
    for key in singles { object[key] = object[key].map(place) }
    // These look at the value that was opened outside, so they aren't opened themselves.
    for key in ["if", "then", "else"] { object[key] = object[key].map(applied) }
    for key in ["allOf", "anyOf", "oneOf"] {
      guard case .array(let branches)? = object[key] else { continue }
      object[key] = .array(branches.map(applied))
    }
    for key in ["$defs"] {
      guard case .object(var members)? = object[key] else { continue }
      for name in members.keys { members[name] = members[name].map(place) }
      object[key] = .object(members)
    }
    return .object(object)
  }

  private static let maps = ["properties", "patternProperties"]
  private static let singles = ["items", "additionalProperties"]

  /// Where a text is asked for without conditions, a reference is one already.
  private static func place(_ schema: JSONValue) -> JSONValue {
    guard case .object(let object) = schema, !object.isEmpty else { return schema }
    let inner = applied(to: schema)
    guard object.keys.contains(where: restricting.contains) else { return inner }
    if object["type"]?.string == "object" || object["type"]?.string == "array" { return inner }
    if object["const"] != nil { return inner }
    var result: JSONObject = ["anyOf": [inner, reference]]
    for key in ["title", "description", "default", "examples", "deprecated", "writeOnly"] {
      result[key] = object[key]
    }
    return .object(result)
  }

  private static let restricting: Set<String> = [
    "type", "enum", "pattern", "minLength", "maxLength", "format", "anyOf", "oneOf",
  ]

  private static let reference: JSONValue = [
    "type": "string", "pattern": "^\\$\\{(env|secret):[A-Za-z0-9_]+\\}$",
  ]
}
