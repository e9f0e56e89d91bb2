internal import AgentJSON
internal import AgentScheduler
internal import AgentStore
internal import AgentTasks

/// The shapes of tasks.
extension Shape {
  private static let text: JSONValue = ["type": "string"]
  private static let integer: JSONValue = ["type": "integer"]
  private static let moment = TaskSchemas.moment
  private static let words = TaskSchemas.words
  private static let priority = TaskSchemas.priority
  private static let number = TaskSchemas.number
  private static let states: JSONValue = [
    "enum": .array(TaskState.allCases.map { .string($0.rawValue) })
  ]

  private static func with(_ fields: JSONObject) -> JSONObject {
    TaskSchemas.with(TaskSchemas.definition, fields)
  }

  /// The body that creates a task.
  static let newTask = Shape("NewTask", phrase: "a task", schema: TaskSchemas.newTask)

  /// The task that a schedule creates at each fire time.
  static let scheduledTask = Shape.object(
    "ScheduledTask", as: "a task of a schedule",
    with([
      "name": ["type": "string", "minLength": 1, "maxLength": 500],
      "type": ["type": "string", "minLength": 1, "maxLength": 200], "priority": priority,
      "due_after_ms": [
        "type": "integer", "minimum": 0, "maximum": JSONValue(APIParameter.maxNumber),
        "description": "milliseconds from the fire time to the due date",
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
        "description": "queued queues the task, cancelled cancels it",
      ],
    ]
  ).with(["minProperties": 1])

  static let taskExecution = Shape(
    "TaskExecution", phrase: "a request to execute a task", schema: TaskSchemas.execution)

  static let taskCancellation = Shape(
    "TaskCancellation", phrase: "a request to cancel a task", schema: TaskSchemas.cancellation)

  static let taskRetrial = Shape.object(
    "TaskRetrial", as: "a selection of tasks to retry",
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
      "output": ["description": "the task's output"], "status": states,
      "error": ["type": ["string", "null"]],
      "execution_time": [
        "type": "number", "description": "duration of the last attempt in seconds",
      ],
      "timestamp": moment,
    ])

  private static let taskFields: JSONObject = with([
    "id": number, "name": text, "type": text, "status": states, "priority": integer,
    "priority_name": ["enum": ["low", "normal", "high", "critical"]], "attempt": integer,
    "failures": integer, "created": moment, "updated": moment, "asked": moment, "run_at": moment,
    "due_date": moment, "started": moment, "finished": moment, "cancelling": moment,
    "owner": text, "parent": number, "batch": number, "schedule": number, "created_by": text,
    "progress": ["description": "the progress that was reported last"],
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
    fields["artifacts"] = ["type": "array", "items": artifact.reference]
    return .object(
      "TaskReport", required: taskKeys + ["history", "artifacts"], fields,
      uses: [taskResult, artifact])
  }()

  static let artifact = Shape.object(
    "Artifact", required: ["name", "media_type", "size", "timestamp"],
    ["name": text, "media_type": text, "size": integer, "timestamp": moment])

  static let tasks = Shape.object(
    "Tasks", required: ["tasks"],
    [
      "tasks": ["type": "array", "items": task.reference],
      "next": ["type": "integer", "description": "value for \"offset\"; absent on the last page"],
      "before": [
        "type": "string",
        "description":
          "value for \"before\", newest first; given if more may follow, even after a page that isn't full",
      ],
      "offset": [
        "type": "integer", "description": "value for \"offset\" together with \"before\"",
      ],
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

  static let taskCounts = Shape.object(
    "TaskCounts", required: ["counts"],
    [
      "counts": ["type": "array", "items": taskCount.reference],
      "next": ["type": "string", "description": "value for \"after\"; absent on the last page"],
    ], uses: [taskCount])

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
