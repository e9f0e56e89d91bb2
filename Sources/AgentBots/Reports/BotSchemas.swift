internal import AgentAssignment
public import AgentJSON
internal import AgentTasks

/// What is said of bots and by them, as JSON Schemas: the API's, and the modules'.
public enum BotSchemas {
  private static let name: JSONValue = ["type": "string", "minLength": 1, "maxLength": 200]
  private static let lease: JSONValue = [
    "type": "integer", "minimum": 100, "maximum": 86_400_000,
    "description": "longest time to the next heartbeat, in milliseconds",
  ]
  /// How a bot stands.
  public static let status: JSONValue = [
    "enum": .array(BotStatus.allCases.map { .string($0.rawValue) })
  ]

  /// What may be null, which says nothing.
  private static func orNull(_ type: String, _ more: JSONObject = [:]) -> JSONValue {
    .object(TaskSchemas.with(["type": [.string(type), "null"]], more))
  }

  private static let capability = TaskSchemas.object(
    required: ["name", "task_types"],
    [
      "name": name, "description": orNull("string", ["maxLength": 10_000]),
      "task_types": ["type": "array", "minItems": 1, "maxItems": 1_000, "items": name],
      "priority_boost": orNull("integer", ["minimum": -10_000, "maximum": 10_000]),
      "max_concurrent": orNull("integer", ["minimum": 1, "maximum": 100_000]),
    ])

  /// What registers a bot.
  public static let newBot = bot(with: [:])

  /// The same with a webhook, for callers that may have the host call any address. Modules may not:
  /// a webhook would lead out of their sandbox.
  public static let calledBot = bot(with: [
    "webhook": orNull(
      "object",
      [
        "required": ["url"], "additionalProperties": false,
        "properties": [
          "url": ["type": "string", "minLength": 1, "maxLength": 2_000],
          "secret": ["type": ["string", "null"], "minLength": 1, "maxLength": 200],
        ],
        "description":
          "the URL for its offers, and the name of the secret that signs them",
      ])
  ])

  private static let data = orNull(
    "object",
    [
      "description": .string(
        "any members; metadata and contact_info together have at most \(BotPlan.maxDataBytes) bytes"
      )
    ])

  private static func bot(with more: JSONObject) -> JSONValue {
    var properties: JSONObject = [
      "name": name,
      "bot_type": orNull(
        "string", ["description": "system, worker, monitor, specialist, assistant or user"]),
      "capabilities": orNull("array", ["maxItems": 1_000, "items": capability]),
      "max_concurrent_tasks": orNull("integer", ["minimum": 1, "maximum": 100_000]),
      "priority_preference": orNull(
        "array", ["maxItems": 1_000, "items": ["type": ["string", "integer"]]]),
      "metadata": data, "contact_info": data,
    ]
    for (key, value) in more { properties[key] = value }
    return TaskSchemas.object(required: ["name"], properties)
  }

  /// What is said of how a bot stands.
  public static let word = TaskSchemas.object(required: ["status"], ["status": status])

  /// Names the bot that is to get a task.
  public static let newAssignment = TaskSchemas.object(
    required: ["task_id"],
    [
      "task_id": TaskSchemas.number,
      "bot_id": [
        "type": ["string", "null"], "maxLength": 200,
        "description": "the bot; by default, the best available one",
      ],
    ])

  /// How an assignment is accepted.
  public static let acceptance = TaskSchemas.object(["lease_ms": lease])

  /// Why an assignment is rejected.
  public static let rejection = TaskSchemas.object([
    "reason": ["type": "string", "maxLength": 2_000]
  ])

  /// A heartbeat from the bot that does a task.
  public static let heartbeat = TaskSchemas.object([
    "lease_ms": lease,
    "progress": ["description": "any value; by custom {percent, message}"],
    "logs": [
      "type": "array", "maxItems": 1_000,
      "items": TaskSchemas.object(
        required: ["text"],
        [
          "stream": ["type": "string", "minLength": 1, "maxLength": 50],
          "text": ["type": "string", "maxLength": 8_000],
        ]),
    ],
  ])

  /// How an assignment has ended.
  public static let completion = TaskSchemas.object([
    "success": ["type": "boolean", "description": "true by default"],
    "status": [
      "enum": ["completed", "succeeded", "failed"],
      "description": "the same as \"success\"",
    ],
    "result": ["description": "the result: any value"],
    "output": ["description": "the same as \"result\""],
    "error": ["type": ["string", "null"], "maxLength": 10_000],
    "final": ["type": "boolean", "description": "whether a retry is useless"],
  ])

  /// By what it is decided who gets a task.
  public static let strategy = TaskSchemas.object(
    required: ["assignment_strategy"], ["assignment_strategy": name])
}
