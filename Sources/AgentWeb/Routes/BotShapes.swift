internal import AgentAssignment
internal import AgentJSON
internal import AgentStore

/// The bodies of bots and of what they are given.
extension Shape {
  private static let text: JSONValue = ["type": "string"]
  private static let integer: JSONValue = ["type": "integer"]
  private static let name: JSONValue = ["type": "string", "minLength": 1, "maxLength": 200]
  private static let number: JSONValue = ["type": "string", "pattern": "^[1-9][0-9]{0,15}$"]
  private static let lease: JSONValue = [
    "type": "integer", "minimum": 100, "maximum": 86_400_000,
    "description": "how long who does it may be silent from now on, in milliseconds",
  ]
  static let botStatus: JSONValue = [
    "enum": .array(BotStatus.allCases.map { .string($0.rawValue) })
  ]
  private static let assignmentStatus: JSONValue = [
    "enum": .array(AssignmentRow.State.allCases.map { .string($0.rawValue) })
  ]

  /// What may be null, which says nothing.
  private static func orNull(_ type: String, _ more: JSONObject = [:]) -> JSONValue {
    var object: JSONObject = ["type": [.string(type), "null"]]
    for (key, value) in more { object[key] = value }
    return .object(object)
  }

  private static let capability: JSONValue = [
    "type": "object", "required": ["name", "task_types"], "additionalProperties": false,
    "properties": [
      "name": name, "description": orNull("string", ["maxLength": 10_000]),
      "task_types": ["type": "array", "minItems": 1, "maxItems": 1_000, "items": name],
      "priority_boost": orNull("integer", ["minimum": -10_000, "maximum": 10_000]),
      "max_concurrent": orNull("integer", ["minimum": 1, "maximum": 100_000]),
    ],
  ]

  /// What registers a bot.
  static let newBot = Shape.object(
    "NewBot", as: "a bot", required: ["name"],
    [
      "name": name,
      "bot_type": orNull(
        "string", ["description": "system, worker, monitor, specialist, assistant or user"]),
      "capabilities": orNull("array", ["maxItems": 1_000, "items": capability]),
      "max_concurrent_tasks": orNull("integer", ["minimum": 1, "maximum": 100_000]),
      "priority_preference": orNull(
        "array", ["maxItems": 1_000, "items": ["type": ["string", "integer"]]]),
      "metadata": orNull("object"), "contact_info": orNull("object"),
    ])

  static let bot = Shape.object(
    "Bot", required: ["id", "name", "bot_type", "status", "capabilities", "current_tasks"],
    [
      "id": text, "name": text, "bot_type": text, "status": botStatus,
      "capabilities": ["type": "array"], "max_concurrent_tasks": integer,
      "current_tasks": integer, "utilisation": ["type": "number"],
    ], open: true)

  static let bots = Shape.list("Bots", "bots", of: .bot)

  static let botWord = Shape.object(
    "BotStatus", as: "a bot's status", required: ["status"],
    ["status": botStatus])

  /// Figures, whichever there are.
  static let botFigures = Shape.object("BotFigures", [:], open: true)

  static let assignment = Shape.object(
    "Assignment", required: ["id", "task_id", "bot_id", "status", "attempt", "strategy"],
    [
      "id": number, "task_id": number, "bot_id": text, "status": assignmentStatus,
      "attempt": integer, "strategy": text, "decision": ["type": "object"],
    ], open: true)

  static let assignments = Shape.object(
    "Assignments", required: ["assignments"],
    [
      "assignments": ["type": "array", "items": assignment.reference],
      "next": ["type": "string", "description": "for \"before\"; not there on the last page"],
    ], uses: [assignment])

  static let newAssignment = Shape.object(
    "NewAssignment", as: "an assignment", required: ["task_id"],
    [
      "task_id": number,
      "bot_id": [
        "type": ["string", "null"], "maxLength": 200,
        "description": "the bot; the best who has room when it isn't given",
      ],
    ])

  static let acceptance = Shape.object(
    "Acceptance", as: "how an assignment is accepted", ["lease_ms": lease])

  static let rejection = Shape.object(
    "Rejection", as: "why an assignment is rejected",
    ["reason": ["type": "string", "maxLength": 2_000]])

  static let workHeartbeat = Shape.object(
    "AssignmentHeartbeat", as: "a sign of life",
    [
      "lease_ms": lease,
      "progress": ["description": "any value; by custom {percent, message}"],
      "logs": [
        "type": "array", "maxItems": 1_000,
        "items": [
          "type": "object", "required": ["text"], "additionalProperties": false,
          "properties": [
            "stream": ["type": "string", "minLength": 1, "maxLength": 50],
            "text": ["type": "string", "maxLength": 8_000],
          ],
        ],
      ],
    ])

  static let workSeen = Shape.object(
    "AssignmentSeen", required: ["assignment", "cancelling"],
    [
      "assignment": assignment.reference,
      "cancelling": ["type": "boolean", "description": "somebody wants it to stop"],
    ], uses: [assignment])

  static let completion = Shape.object(
    "Completion", as: "how an assignment has ended",
    [
      "success": ["type": "boolean", "description": "true when nothing is said"],
      "status": [
        "enum": ["completed", "succeeded", "failed"],
        "description": "says the same as \"success\"",
      ],
      "result": ["description": "what came of it: any value"],
      "output": ["description": "the same"],
      "error": ["type": ["string", "null"], "maxLength": 10_000],
      "final": ["type": "boolean", "description": "trying again is of no use"],
    ])

  static let chosenStrategy = Shape.object(
    "ChosenStrategy", as: "a choice of a strategy", required: ["assignment_strategy"],
    ["assignment_strategy": name])

  // MARK: TaskBot

  /// An answer with these members and others.
  static func taskBot(_ name: String, _ members: String...) -> Shape {
    .object(
      "TaskBot\(name)", required: members, JSONObject(members.map { ($0, [:]) }), open: true)
  }

  static let taskBotTask = Shape.object(
    "TaskBotNewTask", as: "a task", required: ["name", "task_type"],
    [
      "name": ["type": "string", "minLength": 1, "maxLength": 500],
      "description": ["type": ["string", "null"], "maxLength": 10_000],
      "task_type": name,
      "priority": [
        "anyOf": [
          ["enum": ["low", "normal", "high", "critical", .null]],
          ["type": "integer", "minimum": 0, "maximum": 1000],
        ]
      ],
      "subsystem": ["type": ["string", "null"], "maxLength": 200],
      "metadata": ["type": ["object", "null"]],
      "input": ["description": "what the type takes"],
      "run_command": ["type": ["string", "null"], "maxLength": 100_000],
      "bot_id": ["type": ["string", "null"], "maxLength": 200],
      "tags": ["type": "array", "maxItems": 100, "items": ["type": "string", "maxLength": 200]],
    ])
}
