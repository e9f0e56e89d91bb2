public import AgentJSON

/// JSON Schemas of requests that create or change tasks. The API and the modules use them.
public enum TaskSchemas {
  /// The schema of a time in Unix milliseconds.
  public static let moment: JSONValue = [
    "type": "integer", "minimum": 0, "maximum": JSONValue(maxNumber),
    "description": "Unix milliseconds",
  ]
  private static let duration: JSONValue = [
    "type": "integer", "minimum": 1, "maximum": JSONValue(maxNumber),
    "description": "milliseconds",
  ]
  /// The schema of a list of short texts.
  public static let words: JSONValue = [
    "type": "array", "maxItems": 100,
    "items": ["type": "string", "minLength": 1, "maxLength": 200],
  ]
  /// The schema of a priority.
  public static let priority: JSONValue = [
    "description": "low (250), normal (500), high (750), critical (1000), or a number between",
    "anyOf": [
      ["enum": ["low", "normal", "high", "critical"]],
      ["type": "integer", "minimum": 0, "maximum": 1000],
    ],
  ]
  /// The schema of the number of a task, a batch or an assignment, which is a text.
  public static let number: JSONValue = ["type": "string", "pattern": "^[1-9][0-9]{0,15}$"]
  /// The greatest number that every JSON reader represents exactly.
  static let maxNumber = 1 << 53

  /// The members of a definition that requests may set and reports contain.
  public static let definition: JSONObject = [
    "description": ["type": "string", "maxLength": 10_000],
    "input": ["description": "the task's input: any JSON that the schema of its type allows"],
    "run_command": [
      "type": "string", "maxLength": 100_000,
      "description": "a program with its arguments, python:FILE:FUNCTION or node:FILE:FUNCTION",
    ],
    "shell": ["type": "boolean", "description": "whether to run the command in a shell"],
    "secrets": words, "tags": words, "subsystem": ["type": "string", "maxLength": 200],
    "metadata": ["type": "object"],
    "retry": [
      "type": "object", "additionalProperties": false,
      "properties": [
        "attempts": ["type": "integer", "minimum": 1, "maximum": 1_000_000],
        "initial_ms": duration, "max_ms": duration,
        "factor": ["type": "number", "minimum": 1, "maximum": 100],
        "jitter": ["type": "number", "minimum": 0, "maximum": 1],
      ],
    ],
    "timeouts": [
      "type": "object", "additionalProperties": false,
      "properties": [
        "queued_ms": duration, "run_ms": duration, "total_ms": duration,
        "heartbeat_ms": duration,
      ],
    ],
    "concurrency_key": ["type": "string", "minLength": 1, "maxLength": 200],
    "concurrency_limit": ["type": "integer", "minimum": 1, "maximum": 1_000_000],
    "rate": [
      "type": "object", "additionalProperties": false, "required": ["count", "period_ms"],
      "properties": [
        "count": ["type": "integer", "minimum": 1, "maximum": 1_000_000], "period_ms": duration,
      ],
    ],
    "bot": ["type": "string", "minLength": 1, "maxLength": 200],
    "bot_type": ["type": "string", "minLength": 1, "maxLength": 200],
    "capability": ["type": "string", "minLength": 1, "maxLength": 200],
    "escalation": ["type": "array", "maxItems": 20, "items": ["type": "object"]],
  ]

  /// The schema of a request for a new task.
  public static let newTask = object(
    required: ["name"],
    with(
      definition,
      [
        "name": ["type": "string", "minLength": 1, "maxLength": 500],
        "type": [
          "type": "string", "minLength": 1, "maxLength": 200,
          "description":
            "a task type; by default command, if there is a run_command",
        ],
        "priority": priority, "due_date": moment, "run_at": moment,
        "status": [
          "enum": ["waiting_execution", "waiting", "queued"],
          "description":
            "waiting_execution (the default) waits for execute; queued starts as soon as possible",
        ],
        "parent": number,
        "unique": [
          "description":
            "open: one such task at a time; a number: one within this many milliseconds; {key}: one",
          "anyOf": [
            ["const": "open"], duration,
            [
              "type": "object", "required": ["key"], "additionalProperties": false,
              "properties": ["key": ["type": "string", "minLength": 1, "maxLength": 500]],
            ],
          ],
        ],
      ]))

  /// The schema of a request to execute a task.
  public static let execution = object([
    "data": ["description": "replaces the input, or is merged into it if both are objects"],
    "run_at": moment,
    "wait_ms": [
      "type": "integer", "minimum": 0, "maximum": 3_600_000,
      "description": "longest wait for the result, in milliseconds",
    ],
  ])

  /// The schema of a request to cancel a task.
  public static let cancellation = object([
    "force": [
      "type": "boolean", "description": "cancels at once, without waiting for the task to stop",
    ],
    "note": ["type": "string", "maxLength": 2_000],
  ])

  /// Returns the members of both objects. `others` wins if both have a member.
  public static func with(_ members: JSONObject, _ others: JSONObject) -> JSONObject {
    var all = members
    for (key, value) in others { all[key] = value }
    return all
  }

  /// Returns the schema of an object with these members and no others.
  public static func object(
    required: [JSONValue] = [], _ properties: JSONObject
  ) -> JSONValue {
    var schema: JSONObject = ["type": "object"]
    if !required.isEmpty { schema["required"] = .array(required) }
    schema["additionalProperties"] = false
    schema["properties"] = .object(properties)
    return .object(schema)
  }
}
