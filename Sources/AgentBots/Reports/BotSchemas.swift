internal import AgentAssignment
public import AgentJSON
internal import AgentTasks

/// JSON Schemas of requests about bots and by bots. The API and the interface for modules use them.
public enum BotSchemas {
  private static let name: JSONValue = ["type": "string", "minLength": 1, "maxLength": 200]
  private static let lease: JSONValue = [
    "type": "integer", "minimum": 100, "maximum": 86_400_000,
    "description": "longest time to the next heartbeat, in milliseconds",
  ]
  /// The status of a bot.
  public static let status: JSONValue = [
    "enum": .array(BotStatus.allCases.map { .string($0.rawValue) })
  ]

  /// Returns a schema that allows null too. Null means the same as a missing member.
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

  /// The definition of a bot in a registration.
  public static let newBot = bot(with: [:])

  /// The definition of a bot with a webhook, for callers that may make the host call any address.
  /// Modules may not: a webhook would be a way out of their sandbox.
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

  /// A new status of a bot.
  public static let word = TaskSchemas.object(required: ["status"], ["status": status])

  /// An assignment by hand.
  public static let newAssignment = TaskSchemas.object(
    required: ["task_id"],
    [
      "task_id": TaskSchemas.number,
      "bot_id": [
        "type": ["string", "null"], "maxLength": 200,
        "description": "the bot; by default, the best available one",
      ],
    ])

  /// The acceptance of an assignment.
  public static let acceptance = TaskSchemas.object(["lease_ms": lease])

  /// The rejection of an assignment.
  public static let rejection = TaskSchemas.object([
    "reason": ["type": "string", "maxLength": 2_000]
  ])

  /// A heartbeat from the bot that runs a task.
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

  /// The end of an assignment.
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

  /// The choice of a strategy.
  public static let strategy = TaskSchemas.object(
    required: ["assignment_strategy"], ["assignment_strategy": name])
}
