internal import AgentJSON
internal import AgentStore
internal import AgentTasks

extension TaskMethod {
  /// The methods for tasks: creating, reading, executing and cancelling.
  static let aboutTasks: [TaskMethod] = [
    TaskMethod("create_task", input: TaskSchemas.newTask) { request in
      report(try await request.tasks.create(TaskDraft(request.input), by: request.authority).task)
    },
    TaskMethod("get_task", input: shape(required: ["id"], number), isLarge: true) { request in
      .object(try await request.tasks.report(of: request.task().id))
    },
    TaskMethod("list_tasks", input: listing, isLarge: true) { request in
      .object(try await request.tasks.page(TaskSelection(request), for: request.authority))
    },
    TaskMethod(
      "wait_for_task", input: shape(required: ["id"], TaskSchemas.with(number, ["wait_ms": wait]))
    ) { request in
      let row = try await request.tasks.waited(
        for: request.task().id, milliseconds: request.integer("wait_ms") ?? 60_000)
      await request.turn.begin()
      return report(row)
    },
    TaskMethod("execute_task", input: shape(TaskSchemas.execution, required: ["id"], number)) {
      request in
      var row = try await request.tasks.execute(
        request.id, data: request.root["data"]?.value, at: request.integer("run_at"),
        by: request.authority)
      if let wait = request.integer("wait_ms") {
        row = try await request.tasks.waited(for: request.id, milliseconds: wait)
      }
      await request.turn.begin()
      return report(row)
    },
    TaskMethod(
      "cancel_task", input: shape(TaskSchemas.cancellation, required: ["id"], number),
      isLarge: true
    ) { request in
      report(
        try await request.tasks.cancel(
          request.id, isForced: request.root["force"]?.bool ?? false, note: request.text("note"),
          by: request.authority))
    },
    TaskMethod(
      "get_task_logs",
      input: shape(
        required: ["id"],
        TaskSchemas.with(number, ["after": ["type": "integer", "minimum": 0], "limit": limit])),
      isLarge: true
    ) { request in
      let lines = try await request.tasks.logLines(
        of: request.task().id, after: request.integer("after") ?? 0,
        limit: Int(request.integer("limit") ?? 100))
      return ["lines": .array(lines.map(\.json))]
    },
    TaskMethod("explain_task", input: shape(required: ["id"], number)) { request in
      .object(try await request.tasks.explanation(of: request.task().id))
    },
    TaskMethod("list_task_types", input: shape()) { request in
      ["types": .array(request.tasks.types)]
    },
  ]

  static func report(_ row: TaskRow) -> JSONValue { .object(TaskReport(row).json) }

  private static let listing = shape(
    nil,
    [
      "status": [
        "type": "array", "items": ["enum": .array(TaskState.allCases.map { .string($0.rawValue) })],
      ],
      "type": text, "bot": text, "tag": text, "q": text, "batch": TaskSchemas.number,
      "parent": TaskSchemas.number, "schedule": TaskSchemas.number, "before": TaskSchemas.number,
      "sort": ["enum": .array(TaskSelection.Order.allCases.map { .string($0.rawValue) })],
      "order": ["enum": ["asc", "desc"]],
      "offset": ["type": "integer", "minimum": 0, "maximum": 1_000_000_000], "limit": limit,
    ])
}

extension TaskSelection {
  fileprivate init(_ request: TaskServiceRequest) {
    let states = request.root["status"]?.elements.compactMap {
      $0.string.flatMap(TaskState.init(name:))
    }
    self.init(
      states: states.map(Set.init), type: request.text("type"), bot: request.text("bot"),
      batch: request.number("batch"), parent: request.number("parent"),
      schedule: request.number("schedule"), tag: request.text("tag"), text: request.text("q"),
      before: request.number("before"), order: request.text("sort").flatMap(Order.init) ?? .created,
      isDescending: request.text("order") != "asc", offset: Int(request.integer("offset") ?? 0),
      limit: Int(request.integer("limit") ?? 100))
  }
}
