import AgentJSON

/// Changes a schema so that it accepts `${env:…}` and `${secret:…}` in place of every value that
/// isn't a text.
enum ReferenceTolerance {
  /// Returns the schema with references accepted at the place of every value.
  static func applied(to schema: JSONValue) -> JSONValue {
    guard case .object(var object) = schema else { return schema }
    for key in maps {
      guard case .object(var members)? = object[key] else { continue }
      for name in members.keys { members[name] = members[name].map(place) }
      object[key] = .object(members)
    }
    for key in singles { object[key] = object[key].map(place) }
    // These keywords check the value that the outer schema already accepts as a reference.
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

  /// Returns the schema of one place. A place that accepts every text needs no change.
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
