public import AgentJSON

/// Changes a module's settings schema so that it refuses unknown keys.
///
/// Rationale: an unknown key is usually misspelled, but JSON Schema allows it by default. The
/// changed schema therefore allows only listed `properties`, unless the author wrote
/// `additionalProperties` or `unevaluatedProperties`. A key with a default isn't required any more,
/// because the host inserts the default.
public enum SettingsSchema {
  /// Returns the changed schema. A value that isn't an object is returned unchanged.
  public static func closing(_ schema: JSONValue) -> JSONValue {
    guard case .object(var object) = schema else { return schema }
    close(&object)
    return .object(object)
  }

  /// The keywords that apply further schemas to the same object.
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

  /// Changes a nested schema. An object without `properties` is a map, whose keys the user chooses,
  /// so it stays open.
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

  /// Returns whether a member with this name and value occurs anywhere in the schema.
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
