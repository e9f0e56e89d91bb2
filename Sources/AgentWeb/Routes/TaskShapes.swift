internal import AgentJSON
internal import AgentStore
internal import AgentTasks

/// The bodies of tasks.
extension Shape {
  private static let text: JSONValue = ["type": "string"]
  private static let integer: JSONValue = ["type": "integer"]
  private static let moment: JSONValue = [
    "type": "integer", "minimum": 0, "maximum": JSONValue(APIParameter.mostNumber),
    "description": "Unix milliseconds",
  ]
  private static let duration: JSONValue = [
    "type": "integer", "minimum": 1, "maximum": JSONValue(APIParameter.mostNumber),
    "description": "milliseconds",
  ]
  private static let words: JSONValue = [
    "type": "array", "maxItems": 100, "items": ["type": "string", "maxLength": 200],
  ]
  private static let priority: JSONValue = [
    "description": "low (250), normal (500), high (750), critical (1000), or a number between",
    "anyOf": [
      ["enum": ["low", "normal", "high", "critical"]],
      ["type": "integer", "minimum": 0, "maximum": 1000],
    ],
  ]
  private static let states: JSONValue = [
    "enum": .array(TaskState.allCases.map { .string($0.rawValue) })
  ]

  /// What of a definition may be given, and is shown again.
  private static let definition: JSONObject = [
    "description": ["type": "string", "maxLength": 10_000],
    "input": ["description": "what the type takes: any JSON that its schema allows"],
    "run_command": [
      "type": "string", "maxLength": 100_000,
      "description": "a program with its arguments, python:FILE:FUNCTION or node:FILE:FUNCTION",
    ],
    "shell": ["type": "boolean", "description": "whether a shell reads the command"],
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

  private static func with(_ fields: JSONObject) -> JSONObject {
    var all = definition
    for (key, value) in fields { all[key] = value }
    return all
  }

  private static let number: JSONValue = ["type": "string", "pattern": "^[1-9][0-9]{0,15}$"]

  /// What creates a task.
  static let newTask = Shape.object(
    "NewTask", as: "a task", required: ["name"],
    with([
      "name": ["type": "string", "minLength": 1, "maxLength": 500],
      "type": [
        "type": "string", "minLength": 1, "maxLength": 200,
        "description": "a task type; command when there is a run_command and nothing else is said",
      ],
      "priority": priority, "due_date": moment, "run_at": moment,
      "status": [
        "enum": ["waiting_execution", "waiting", "queued"],
        "description":
          "waiting_execution (the default) waits for execute; queued is done as soon as may be",
      ],
      "parent": number,
      "unique": [
        "description":
          "open: one such task at a time; a number: one within so many milliseconds; {key}: one",
        "anyOf": [
          ["const": "open"], duration,
          [
            "type": "object", "required": ["key"], "additionalProperties": false,
            "properties": ["key": ["type": "string", "minLength": 1, "maxLength": 500]],
          ],
        ],
      ],
    ]))

  /// What a schedule makes each time.
  static let scheduledTask = Shape.object(
    "ScheduledTask", as: "what a schedule makes",
    with([
      "name": ["type": "string", "minLength": 1, "maxLength": 500],
      "type": ["type": "string", "minLength": 1, "maxLength": 200], "priority": priority,
      "due_after_ms": [
        "type": "integer", "minimum": 0, "maximum": JSONValue(APIParameter.mostNumber),
        "description": "when it should be done: so long after the fire time",
      ],
    ]))

  static let newBatch = Shape.object(
    "NewTaskBatch", as: "a batch of tasks", required: ["name", "tasks"],
    [
      "name": ["type": "string", "minLength": 1, "maxLength": 500],
      "tasks": [
        "type": "array", "minItems": 1, "maxItems": 10_000, "items": newTask.reference,
      ],
    ], uses: [newTask])

  static let taskEdit = Shape.object(
    "TaskEdit", as: "a change of a task",
    [
      "name": ["type": "string", "minLength": 1, "maxLength": 500],
      "description": ["type": "string", "maxLength": 10_000], "priority": priority,
      "due_date": moment, "tags": words,
      "status": [
        "enum": ["queued", "cancelled"],
        "description": "queued asks for it to be done, cancelled gives it up",
      ],
    ]
  ).with(["minProperties": 1])

  static let taskExecution = Shape.object(
    "TaskExecution", as: "how a task is to be executed",
    [
      "data": ["description": "in place of the input, or merged into it when both are objects"],
      "run_at": moment,
      "wait_ms": [
        "type": "integer", "minimum": 0, "maximum": 3_600_000,
        "description": "waits for the result, for so long at most",
      ],
    ])

  static let taskCancellation = Shape.object(
    "TaskCancellation", as: "how a task is to be cancelled",
    [
      "force": ["type": "boolean", "description": "doesn't wait until who does it has stopped"],
      "note": ["type": "string", "maxLength": 2_000],
    ])

  static let taskRetrial = Shape.object(
    "TaskRetrial", as: "which tasks are to be tried again",
    [
      "type": ["type": "string", "minLength": 1, "maxLength": 200],
      "status": ["type": "array", "items": ["enum": ["failed", "dead", "cancelled"]]],
    ])

  private static let taskKeys = [
    "id", "name", "type", "status", "priority", "priority_name", "attempt", "failures", "created",
    "updated",
  ]

  static let taskResult = Shape.object(
    "TaskResult", required: ["output", "status", "error", "execution_time", "timestamp"],
    [
      "output": ["description": "what came of it"], "status": states,
      "error": ["type": ["string", "null"]],
      "execution_time": ["type": "number", "description": "seconds of the last attempt"],
      "timestamp": moment,
    ])

  private static let taskFields: JSONObject = with([
    "id": number, "name": text, "type": text, "status": states, "priority": integer,
    "priority_name": ["enum": ["low", "normal", "high", "critical"]], "attempt": integer,
    "failures": integer, "created": moment, "updated": moment, "asked": moment, "run_at": moment,
    "due_date": moment, "started": moment, "finished": moment, "cancelling": moment,
    "owner": text, "parent": number, "batch": number, "schedule": number, "created_by": text,
    "progress": ["description": "what was said last of how far it has come"],
    "result": taskResult.reference,
  ])

  static let task = Shape.object("Task", required: taskKeys, taskFields, uses: [taskResult])

  static let taskReport: Shape = {
    var fields = taskFields
    fields["history"] = [
      "type": "array",
      "items": [
        "type": "object", "required": ["at", "state"],
        "properties": [
          "at": moment, "state": states, "attempt": integer, "by": text, "note": text,
        ],
      ],
    ]
    fields["artefacts"] = [
      "type": "array",
      "items": [
        "type": "object", "required": ["name", "media_type", "size", "timestamp"],
        "properties": [
          "name": text, "media_type": text, "size": integer, "timestamp": moment,
        ],
      ],
    ]
    return .object(
      "TaskReport", required: taskKeys + ["history", "artefacts"], fields, uses: [taskResult])
  }()

  static let tasks = Shape.object(
    "Tasks", required: ["tasks"],
    [
      "tasks": ["type": "array", "items": task.reference],
      "next": ["type": "integer", "description": "for \"offset\"; not there on the last page"],
    ], uses: [task])

  static let taskType = Shape.object(
    "TaskType", required: ["name", "description", "source", "done_by"],
    [
      "name": text, "description": text, "source": text, "input": ["type": "object"],
      "done_by": ["enum": ["host", "bots"]],
    ])

  static let taskCount = Shape.object(
    "TaskCount", required: ["type", "status", "count"],
    ["type": text, "status": states, "count": integer])

  static let taskLog = Shape.object(
    "TaskLog", required: ["lines"],
    [
      "lines": [
        "type": "array",
        "items": [
          "type": "object", "required": ["number", "timestamp", "attempt", "stream", "text"],
          "properties": [
            "number": integer, "timestamp": moment, "attempt": integer, "stream": text,
            "text": text,
          ],
        ],
      ]
    ])

  static let taskBatch = Shape.object(
    "TaskBatch",
    required: ["id", "name", "created", "total", "pending", "unsuccessful"],
    [
      "id": number, "name": text, "created": moment, "total": integer, "pending": integer,
      "unsuccessful": integer, "finished": moment,
    ])

  static let createdBatch = Shape.object(
    "CreatedTaskBatch", required: ["batch", "tasks"],
    ["batch": number, "tasks": ["type": "array", "items": number]])

  static let explanation = Shape.object(
    "TaskExplanation", required: ["id", "status", "reasons"],
    ["id": number, "status": states, "reasons": ["type": "array", "items": text]])

  static let retried = Shape.object(
    "RetriedTasks", required: ["retried"], ["retried": integer])
}
