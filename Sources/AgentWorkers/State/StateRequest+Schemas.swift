internal import AgentJSON
internal import AgentModules
internal import JSONSchema

extension StateRequest {
  /// The schemas of the inputs of `state/1`, by method. An unknown member is refused, because a
  /// write with a misspelled `expected` would overwrite another change.
  static let schemas: [String: Schema] = inputs.compactMapValues(SharedSchemas.compile)

  private static let key: JSONValue = [
    "type": "string", "minLength": 1, "pattern": .string(StateNames.keyPattern),
    "errorMessage": ["pattern": .string(StateNames.keyRule)], "description": "a key",
  ]

  /// The condition for one change: if it has a value, its key must be valid for a new key.
  private static let setsKey: JSONObject = [
    "if": ["required": ["value"]],
    "then": [
      "properties": [
        "key": [
          "pattern": .string(StateNames.newKeyPattern),
          "errorMessage": ["pattern": .string(StateNames.newKeyRule)],
        ]
      ]
    ],
  ]

  private static func change(_ schema: JSONValue) -> JSONValue {
    var object = schema.object ?? [:]
    for (keyword, value) in setsKey { object[keyword] = value }
    return .object(object)
  }

  private static func object(_ properties: JSONObject, required: [JSONValue] = []) -> JSONValue {
    [
      "type": "object", "properties": .object(properties), "required": .array(required),
      "additionalProperties": false,
    ]
  }

  private static let inputs: [String: JSONValue] = [
    "get": object(
      [
        "keys": [
          "type": "array", "items": key, "maxItems": JSONValue(maxCount),
          "description": "a list of keys",
        ]
      ], required: ["keys"]),
    "list": object([
      "prefix": ["type": "string"], "after": ["type": "string"],
      "limit": ["type": "integer", "minimum": 1, "maximum": JSONValue(maxCount)],
      "values": ["type": "boolean"],
    ]),
    "write": object(
      [
        "changes": [
          "type": "array", "minItems": 1, "maxItems": JSONValue(maxCount),
          "items": change(
            object(
              [
                "key": key, "value": true, "remove": ["const": true],
                "expected": ["type": "integer", "minimum": 0],
              ], required: ["key"])),
        ]
      ], required: ["changes"]),
    "history": object(["key": key], required: ["key"]),
    "limits": object([:]),
  ]
}
