import AgentJSON
import AgentModules

/// The first settings of a contribution, made from its manifest.
struct SettingsExample {
  private let contribution: Contribution

  init(of contribution: Contribution) { self.contribution = contribution }

  /// The manifest's example. Without one, the required keys.
  var value: JSONObject {
    if let example = contribution.example?.object { return example }
    return Self.required(contribution.settings, depth: 0)
  }

  private static func required(_ schema: JSONValue, depth: Int) -> JSONObject {
    var object = JSONObject()
    for key in schema["required"]?.array?.compactMap(\.string) ?? [] {
      object[key] = value(schema["properties"]?[key] ?? true, depth: depth + 1)
    }
    return object
  }

  /// The maximum nesting. It ends the descent into a schema that refers to itself.
  private static let deepest = 16

  private static func value(_ schema: JSONValue, depth: Int) -> JSONValue {
    if let value = schema["default"] ?? schema["const"] { return value }
    if let value = schema["examples"]?.array?.first ?? schema["enum"]?.array?.first { return value }
    let type = schema["type"]?.string ?? schema["type"]?.array?.first?.string
    switch type {
    case "integer", "number": return least(schema)
    case "boolean": return false
    case "array": return elements(schema, depth: depth)
    case "object": return depth < deepest ? .object(required(schema, depth: depth)) : [:]
    case "null": return .null
    default: return ""
    }
  }

  private static func least(_ schema: JSONValue) -> JSONValue {
    if let minimum = schema["minimum"] { return minimum }
    if let above = schema["exclusiveMinimum"]?.int, above < .max { return JSONValue(above + 1) }
    return 0
  }

  private static func elements(_ schema: JSONValue, depth: Int) -> JSONValue {
    guard depth < deepest, (schema["minItems"]?.int ?? 0) > 0 else { return [] }
    return .array([value(schema["items"] ?? true, depth: depth + 1)])
  }
}
