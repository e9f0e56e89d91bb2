internal import AgentJSON
internal import AgentStore
internal import AgentTasks

extension TaskMethod {
  /// Tasks: created, looked at, executed, given up.
  static let aboutTasks: [TaskMethod] = [
    TaskMethod("create_task", TaskSchemas.newTask) { visit in
      report(try await visit.tasks.create(TaskDraft(visit.input), by: visit.authority).task)
    },
    TaskMethod("get_task", shape(required: ["id"], number)) { visit in
      .object(try await visit.tasks.report(of: visit.task().id))
    },
    TaskMethod("list_tasks", listing) { visit in
      .object(try await visit.tasks.page(TaskSelection(visit), for: visit.authority))
    },
    TaskMethod(
      "wait_for_task", shape(required: ["id"], TaskSchemas.with(number, ["wait_ms": wait]))
    ) { visit in
      report(
        try await visit.tasks.waited(
          for: visit.task().id, milliseconds: visit.integer("wait_ms") ?? 60_000))
    },
    TaskMethod("execute_task", shape(TaskSchemas.execution, required: ["id"], number)) { visit in
      var row = try await visit.tasks.execute(
        visit.id, data: visit.root["data"]?.value, at: visit.integer("run_at"),
        by: visit.authority)
      if let wait = visit.integer("wait_ms") {
        row = try await visit.tasks.waited(for: visit.id, milliseconds: wait)
      }
      return report(row)
    },
    TaskMethod("cancel_task", shape(TaskSchemas.cancellation, required: ["id"], number)) { visit in
      report(
        try await visit.tasks.cancel(
          visit.id, isForced: visit.root["force"]?.bool ?? false, note: visit.text("note"),
          by: visit.authority))
    },
    TaskMethod(
      "get_task_logs",
      shape(
        required: ["id"],
        TaskSchemas.with(number, ["after": ["type": "integer", "minimum": 0], "limit": limit]))
    ) { visit in
      let lines = try await visit.tasks.logLines(
        of: visit.task().id, after: visit.integer("after") ?? 0,
        limit: Int(visit.integer("limit") ?? 100))
      return ["lines": .array(lines.map(\.json))]
    },
    TaskMethod("explain_task", shape(required: ["id"], number)) { visit in
      .object(try await visit.tasks.explanation(of: visit.task().id))
    },
    TaskMethod("list_task_types", shape()) { visit in ["types": .array(visit.tasks.types)] },
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
  fileprivate init(_ visit: TaskVisit) {
    let states = visit.root["status"]?.elements.compactMap {
      $0.string.flatMap(TaskState.init(name:))
    }
    self.init(
      states: states.map(Set.init), type: visit.text("type"), bot: visit.text("bot"),
      batch: visit.number("batch"), parent: visit.number("parent"),
      schedule: visit.number("schedule"), tag: visit.text("tag"), text: visit.text("q"),
      before: visit.number("before"), order: visit.text("sort").flatMap(Order.init) ?? .created,
      isDescending: visit.text("order") != "asc", offset: Int(visit.integer("offset") ?? 0),
      limit: Int(visit.integer("limit") ?? 100))
  }
}
