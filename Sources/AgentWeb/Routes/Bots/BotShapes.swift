internal import AgentAssignment
internal import AgentBots
internal import AgentJSON
internal import AgentStore

/// The shapes of bots and assignments.
extension Shape {
  private static let text: JSONValue = ["type": "string"]
  private static let integer: JSONValue = ["type": "integer"]
  private static let name: JSONValue = ["type": "string", "minLength": 1, "maxLength": 200]
  private static let number: JSONValue = ["type": "string", "pattern": "^[1-9][0-9]{0,15}$"]
  static let botStatus = BotSchemas.status
  private static let assignmentStatus: JSONValue = [
    "enum": .array(AssignmentRow.State.allCases.map { .string($0.rawValue) })
  ]

  /// The body that registers a bot.
  static let newBot = Shape("NewBot", phrase: "a bot", schema: BotSchemas.calledBot)

  static let bot = Shape.object(
    "Bot", required: ["id", "name", "bot_type", "status", "capabilities", "current_tasks"],
    [
      "id": text, "name": text, "bot_type": text, "status": botStatus,
      "capabilities": ["type": "array"], "max_concurrent_tasks": integer,
      "current_tasks": integer, "utilization": ["type": "number"],
    ], open: true)

  static let bots = Shape.object(
    "Bots", required: ["bots"],
    [
      "bots": ["type": "array", "items": bot.reference],
      "next": ["type": "string", "description": "value for \"after\"; absent on the last page"],
    ], uses: [bot])

  static let botPools = Shape.object(
    "BotPools", required: ["pools"],
    [
      "pools": [
        "type": "array",
        "items": [
          "type": "object", "required": ["name", "min", "max", "instances", "queued"],
          "properties": [
            "name": text, "min": integer, "max": integer, "queued": integer,
            "target_queue_time_ms": integer, "reason": text,
            "mean_task_ms": ["type": ["number", "null"]],
            "instances": ["type": "array"],
          ],
        ],
      ]
    ])

  static let botWord = Shape("BotStatus", phrase: "a bot's status", schema: BotSchemas.word)

  /// Statistics with any members.
  static let botStatistics = Shape.object("BotStatistics", [:], open: true)

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
      "next": ["type": "string", "description": "value for \"before\"; absent on the last page"],
    ], uses: [assignment])

  static let offers = Shape.object(
    "Offers", required: ["assignments"],
    [
      "assignments": ["type": "array", "items": assignment.reference],
      "next": ["type": "string", "description": "value for \"after\"; absent on the last page"],
    ], uses: [assignment])

  static let newAssignment = Shape(
    "NewAssignment", phrase: "an assignment", schema: BotSchemas.newAssignment)

  static let acceptance = Shape(
    "Acceptance", phrase: "an acceptance of an assignment", schema: BotSchemas.acceptance)

  static let rejection = Shape(
    "Rejection", phrase: "a rejection of an assignment", schema: BotSchemas.rejection)

  static let workHeartbeat = Shape(
    "AssignmentHeartbeat", phrase: "a heartbeat", schema: BotSchemas.heartbeat)

  static let workSeen = Shape.object(
    "AssignmentSeen", required: ["assignment", "cancelling"],
    [
      "assignment": assignment.reference,
      "cancelling": ["type": "boolean", "description": "whether the task is being cancelled"],
    ], uses: [assignment])

  static let completion = Shape(
    "Completion", phrase: "a report of an assignment's end", schema: BotSchemas.completion)

  static let chosenStrategy = Shape(
    "ChosenStrategy", phrase: "a choice of a strategy", schema: BotSchemas.strategy)

  // MARK: TaskBot

  /// Returns the shape of an answer with these members and any others.
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
      "input": ["description": "input that the task's type accepts"],
      "run_command": ["type": ["string", "null"], "maxLength": 100_000],
      "bot_id": ["type": ["string", "null"], "maxLength": 200],
      "tags": ["type": "array", "maxItems": 100, "items": ["type": "string", "maxLength": 200]],
    ])
}
