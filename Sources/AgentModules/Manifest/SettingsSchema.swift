public import AgentJSON

/// Closes a module's settings schema against unknown keys.
///
/// Rationale: an unknown key is nearly always a misspelt one, and JSON Schema admits it by default.
/// An object that lists its `properties` therefore admits no others, unless its schema has
/// `additionalProperties` or `unevaluatedProperties`. A key with a default is never missing,
/// whatever `required` says: the host fills it in.
public enum SettingsSchema {
  /// The closed schema; what isn't an object stays as it is.
  public static func closing(_ schema: JSONValue) -> JSONValue {
    guard case .object(var object) = schema else { return schema }
    close(&object)
    return .object(object)
  }

  /// Keywords that look at the same object's members as `properties` does.
  private static let composing: Set<String> = [
    "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas",
  ]

  private static func close(_ object: inout JSONObject) {
    for key in ["properties", "patternProperties"] {
      guard case .object(var members)? = object[key] else { continue }
      for name in members.keys { members[name] = members[name].map(closingNested) }
      object[key] = .object(members)
    }
    for key in ["items", "additionalProperties"] {
      object[key] = object[key].map(closingNested)
    }
    if let required = object["required"]?.array {
      let properties = object["properties"]?.object ?? [:]
      object["required"] = .array(
        required.filter { key in key.string.flatMap { properties[$0]?["default"] } == nil })
    }
    if object["additionalProperties"] != nil || object["unevaluatedProperties"] != nil { return }
    let composed = object.keys.contains { composing.contains($0) }
    object[composed ? "unevaluatedProperties" : "additionalProperties"] = false
  }

  /// Inside, an object without `properties` is a map with keys of the user's choice.
  private static func closingNested(_ schema: JSONValue) -> JSONValue {
    guard case .object(var object) = schema else { return schema }
    if object["properties"] != nil {
      close(&object)
    } else if let items = object["items"] {
      object["items"] = closingNested(items)
    } else if let additional = object["additionalProperties"] {
      object["additionalProperties"] = closingNested(additional)
    }
    return .object(object)
  }

  /// Whether a member of this name has this value anywhere in the schema.
  static func mentions(_ key: String, as value: JSONValue, in schema: JSONValue) -> Bool {
    switch schema {
    case .object(let object):
      object.contains {
        ($0.key == key && $0.value == value) || mentions(key, as: value, in: $0.value)
      }
    case .array(let elements): elements.contains { mentions(key, as: value, in: $0) }
    default: false
    }
  }
}
