internal import AgentJSON
internal import AgentModules
internal import JSONSchema

extension ModuleReport {
  /// The schema of the input of `report`. An unknown member is refused, so that a misspelled one is
  /// noticed.
  static let schema = SharedSchemas.compile(
    object([
      "metrics": list(of: metric, "a list of metrics"),
      "health": list(
        of: object(
          [
            "component": ["type": "string"], "reason": ["type": "string"],
            "state": ["enum": ["ok", "degraded", "failing"]],
          ], required: ["state"]), "a list of components"),
    ]))

  private static let metric = object(
    [
      "name": ["type": "string"], "help": ["type": "string", "maxLength": 500],
      "labels": ["type": "object", "additionalProperties": ["type": "string"]],
      "add": ["type": "number", "minimum": 0], "set": ["type": "number"],
      "sum": ["type": "number"], "observe": list(of: ["type": "number"], "a list of numbers"),
      "bounds": list(of: ["type": "number"], "a list of numbers"),
      "counts": list(
        of: ["type": "integer", "minimum": 0, "maximum": 0xFFFF_FFFF], "a list of whole numbers"),
    ], required: ["name"])

  private static func list(of items: JSONValue, _ description: JSONValue) -> JSONValue {
    ["type": "array", "items": items, "maxItems": JSONValue(most), "description": description]
  }

  private static func object(_ properties: JSONObject, required: [JSONValue] = []) -> JSONValue {
    [
      "type": "object", "properties": .object(properties), "required": .array(required),
      "additionalProperties": false,
    ]
  }
}
