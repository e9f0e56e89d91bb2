internal import AgentAccess
internal import AgentAssignment
internal import AgentBots
internal import AgentJSON
internal import AgentHost
internal import AgentStore
internal import AgentTasks
internal import HTTPTypes
internal import Hummingbird

/// Routes of TaskBot's REST API. They have its paths, bodies and names, and use the same bots and
/// tasks.
struct TaskBotRoutes {
  let host: HostApplication

  var routes: [APIRoute] { bots + status + tasks + assignments + system + words }

  static let base = "/api/taskbot"
  private static let id = APIParameter.path("bot_id", "the bot")

  /// Returns a bot with TaskBot's names.
  static func bot(_ report: JSONObject) -> JSONValue {
    var object = report
    object["bot_id"] = report["id"]
    object["last_seen"] = report["last_heartbeat"]
    return .object(object)
  }

  /// Returns bots with TaskBot's names.
  static func bots(_ page: JSONObject) -> JSONValue {
    let bots = (page["bots"]?.array ?? []).compactMap(\.object)
    return ["bots": .array(bots.map(Self.bot)), "total": JSONValue(bots.count)]
  }

  /// Returns an assignment with TaskBot's names.
  static func assignment(_ row: AssignmentRow) -> JSONValue {
    var object = AssignmentReport(row).json
    object["assignment_id"] = object["id"]
    object["assigned_at"] = object["created"]
    object["completed_at"] = object["ended"] ?? .null
    return .object(object)
  }

  static func done(_ message: String, _ members: JSONObject) -> JSONValue {
    var object: JSONObject = ["success": true, "message": .string(message)]
    for (key, value) in members { object[key] = value }
    return .object(object)
  }

  // MARK: Bots

  private var bots: [APIRoute] {
    [
      APIRoute(
        .post, "\(Self.base)/bots/register", operation: "taskbot_register_bot",
        summary: "Registers a bot.",
        tag: .taskbot, for: .operate, body: .json(.newBot),
        replies: [.ok(.taskBot("Registered", "success", "bot_id"))], options: .repeatable
      ) { [host] call in
        try await TaskRoutes.reply {
          let report = try await host.bots.register(
            BotRoutes.definition(call, host), by: call.authority)
          return Self.done(
            "The bot is registered.",
            ["bot_id": report["id"] ?? .null, "bot": Self.bot(report)])
        }
      },
      APIRoute(
        .get, "\(Self.base)/bots", operation: "taskbot_list_bots", summary: "Lists the bots.",
        tag: .taskbot,
        for: .read,
        replies: [.ok(.taskBot("Bots", "bots", "total"))], options: .large
      ) { [host] call in
        try await TaskRoutes.reply { Self.bots(try host.bots.botPage(for: call.authority)) }
      },
      APIRoute(
        .get, "\(Self.base)/bots/{bot_id}", operation: "taskbot_get_bot", summary: "Returns a bot.",
        tag: .taskbot,
        for: .read, parameters: [Self.id], replies: [.ok(.taskBot("Bot", "bot_id", "status"))],
        options: .forBots
      ) { [host] call in
        try BotRoutes.check(call, isFor: call.path("bot_id"))
        return try await TaskRoutes.reply {
          Self.bot(try host.bots.bot(call.path("bot_id"), for: call.authority))
        }
      },
      APIRoute(
        .delete, "\(Self.base)/bots/{bot_id}", operation: "taskbot_unregister_bot",
        summary: "Unregisters a bot. Its tasks are requeued.", tag: .taskbot,
        for: .operate, parameters: [Self.id],
        replies: [.ok(.taskBot("Unregistered", "success", "bot_id"))], options: .forBots
      ) { [host] call in
        try await TaskRoutes.reply {
          try await host.bots.unregister(call.path("bot_id"), by: call.authority)
          return Self.done(
            "The bot is unregistered.", ["bot_id": .string(call.path("bot_id"))])
        }
      },
    ]
  }

  private var status: [APIRoute] {
    [
      APIRoute(
        .put, "\(Self.base)/bots/{bot_id}/status", operation: "taskbot_set_bot_status",
        summary: "Sets a bot's status.", tag: .taskbot, for: .execute, parameters: [Self.id],
        body: .json(.botWord), replies: [.ok(.taskBot("BotStatus", "success", "status"))],
        options: .forBots
      ) { [host] call in
        try await TaskRoutes.reply {
          let status = BotStatus(rawValue: call.body["status"]?.string ?? "") ?? .online
          let report = try await host.bots.say(
            call.path("bot_id"), status, by: call.authority)
          return Self.done(
            "The status is set.",
            ["bot_id": report["id"] ?? .null, "status": report["status"] ?? .null])
        }
      },
      APIRoute(
        .get, "\(Self.base)/bots/{bot_id}/stats", operation: "taskbot_get_bot_stats",
        summary: "Returns statistics of a bot.",
        tag: .taskbot, for: .read, parameters: [Self.id],
        replies: [.ok(.taskBot("BotStats", "bot_id"))], options: .forBots
      ) { [host] call in
        try BotRoutes.check(call, isFor: call.path("bot_id"))
        return try await TaskRoutes.reply {
          var stats = try await host.bots.stats(of: call.path("bot_id"))
          stats["bot_id"] = stats["id"]
          stats["total_assignments"] = stats["total"]
          stats["completed_tasks"] = stats["completed"]
          stats["failed_tasks"] = stats["failed"]
          return .object(stats)
        }
      },
    ]
  }

  // MARK: Tasks and assignments

  private var tasks: [APIRoute] {
    [
      APIRoute(
        .post, "\(Self.base)/tasks", operation: "taskbot_create_task",
        summary: "Creates a task and queues it.",
        tag: .taskbot, for: .operate, body: .json(.taskBotTask),
        replies: [.ok(.taskBot("Task", "success", "task_id", "status"))], options: .repeatable
      ) { [host] call in
        try await TaskRoutes.reply {
          let body = call.body
          // These members have other names in a task, which a refusal of the engine would have.
          for member in ["task_type", "bot_id"] {
            if let problem = NameCheck.problem(body[member]?.string, at: member) {
              throw TaskError(.invalid, problem)
            }
          }
          var draft = TaskDraft(
            name: body["name"]?.string ?? "", type: body["task_type"]?.string ?? "")
          var members = JSONObject()
          for key in ["description", "subsystem", "metadata", "input", "run_command", "tags"] {
            if let value = body[key], !value.isNull { members[key] = value }
          }
          members["bot"] = body["bot_id"].flatMap { $0.isNull ? nil : $0 }
          draft.definition = TaskDefinition(json: members)
          if let priority = body["priority"].flatMap(TaskDraft.priority) {
            draft.priority = priority
          }
          let row: TaskRow
          do {
            row = try await host.tasks.create(draft, by: call.authority).task
          } catch let error as TaskError where error.message.hasPrefix("type: ") {
            throw TaskError(error.code, "task_\(error.message)")
          }
          return Self.done(
            "The task is queued.",
            [
              "task_id": .string("\(row.id)"), "status": .string(row.state.rawValue),
              "task": .object(TaskReport(row).json),
            ])
        }
      }
    ]
  }

  private var assignments: [APIRoute] {
    let id = APIParameter.number("assignment_id", "the assignment")
    return [
      APIRoute(
        .post, "\(Self.base)/assignments", operation: "taskbot_assign_task",
        summary: "Assigns a task to a bot. Without a bot, the strategy chooses one.", tag: .taskbot,
        for: .operate,
        body: .json(.newAssignment),
        replies: [.ok(.taskBot("Assigned", "success", "assignment_id", "bot_id"))],
        options: [.named, .repeatable]
      ) { [host] call in
        try await TaskRoutes.reply {
          let row = try await host.bots.assign(
            Int64(call.body["task_id"]?.string ?? "") ?? 0, to: call.body["bot_id"]?.string,
            by: call.authority)
          let object = Self.assignment(row).object ?? JSONObject()
          return Self.done("The task is assigned.", object)
        }
      },
      APIRoute(
        .get, "\(Self.base)/assignments", operation: "taskbot_list_assignments",
        summary: "Lists assignments, newest first.", tag: .taskbot, for: .read,
        parameters: [
          AssignmentRoutes.status, .query("bot_id", .text, summary: "only assignments of this bot"),
          .query(
            "task_id", .integer(1...APIParameter.maxNumber),
            summary: "only assignments of this task"),
          AssignmentRoutes.limit,
        ], replies: [.ok(.taskBot("Assignments", "assignments", "total"))],
        options: [.forBots, .large]
      ) { [host] call in
        try await TaskRoutes.reply {
          let own = call.principal.kind == .bot ? call.principal.name : nil
          let state = call.text("status").flatMap(AssignmentRow.State.init(rawValue:))
          var selection = AssignmentSelection(
            states: state.map { [$0] }, bot: own ?? call.text("bot_id"),
            task: call.integer("task_id").map(Int64.init), limit: call.integer("limit") ?? 100)
          selection.maxBytes = TaskRow.pageBytes
          let rows = try await host.bots.assignments(selection)
          return [
            "assignments": .array(rows.map(Self.assignment)), "total": JSONValue(rows.count),
          ]
        }
      },
      APIRoute(
        .get, "\(Self.base)/assignments/{assignment_id}", operation: "taskbot_get_assignment",
        summary: "Returns an assignment.", tag: .taskbot, for: .execute, parameters: [id],
        replies: [.ok(.taskBot("Assignment", "assignment_id", "status"))], options: .forBots
      ) { [host] call in
        try await TaskRoutes.reply {
          Self.assignment(
            try await host.bots.assignment(call.number("assignment_id"), for: call.authority))
        }
      },
      APIRoute(
        .post, "\(Self.base)/assignments/{assignment_id}/complete",
        operation: "taskbot_complete_assignment",
        summary: "Reports that an assignment has ended.", tag: .taskbot, for: .execute,
        parameters: [id],
        body: .json(.completion, isOptional: true),
        replies: [.ok(.taskBot("Completed", "success", "assignment_id", "status"))],
        options: .forBots
      ) { [host] call in
        try await TaskRoutes.reply {
          let ended = try await host.bots.complete(
            call.number("assignment_id"), TaskDispatcher.Ending(call.body), by: call.authority)
          let object = Self.assignment(ended).object ?? JSONObject()
          return Self.done("The assignment has ended.", object)
        }
      },
    ]
  }

  // MARK: The system

  private var system: [APIRoute] {
    [
      APIRoute(
        .get, "\(Self.base)/system/stats", operation: "taskbot_get_stats",
        summary: "Returns statistics of the system.",
        tag: .taskbot, for: .read,
        replies: [.ok(.taskBot("Stats", "total_bots", "online_bots", "queue_size"))]
      ) { [host] _ in
        try await TaskRoutes.reply { .object(try await host.bots.systemStats()) }
      },
      APIRoute(
        .get, "\(Self.base)/system/health", operation: "taskbot_get_health",
        summary: "Reports the health of the system.",
        tag: .taskbot, for: .read, replies: [.ok(.taskBot("Health", "status"))]
      ) { [host] _ in
        try await TaskRoutes.reply {
          let stats = try await host.bots.systemStats()
          let online = stats["online_bots"]?.int ?? 0
          let waiting = stats["queue_size"]?.int ?? 0
          let isWell = online > 0 || waiting == 0
          return [
            "status": isWell ? "healthy" : "degraded", "total_bots": stats["total_bots"] ?? 0,
            "online_bots": JSONValue(online), "queue_size": JSONValue(waiting),
            "reason": isWell
              ? .null : .string("\(waiting) tasks are queued, and no bot is online."),
          ]
        }
      },
      APIRoute(
        .post, "\(Self.base)/system/config", operation: "taskbot_configure",
        summary: "Sets the strategy that chooses a bot for each task.", tag: .taskbot,
        for: .operate,
        body: .json(.chosenStrategy),
        replies: [.ok(.taskBot("Config", "success", "assignment_strategy"))]
      ) { [host] call in
        try await TaskRoutes.reply {
          try await host.bots.choose(
            strategy: call.body["assignment_strategy"]?.string ?? "", by: call.authority)
          return Self.done(
            "The strategy is set.", ["assignment_strategy": .string(host.bots.strategy)])
        }
      },
    ]
  }

  private var words: [APIRoute] {
    [
      APIRoute(
        .get, "\(Self.base)/available-bots", operation: "taskbot_available_bots",
        summary: "Lists the bots that would take a task now.", tag: .taskbot, for: .read,
        parameters: [
          .query("task_type", .text, summary: "only bots that can do this type of task")
        ],
        replies: [.ok(.taskBot("AvailableBots", "bots", "total"))], options: .large
      ) { [host] call in
        try await TaskRoutes.reply {
          Self.bots(
            try host.bots.botPage(
              status: .online, taskType: call.text("task_type"), for: call.authority))
        }
      },
      list("task-types", member: "task_types", summary: "Lists the types of tasks.") { host in
        Set(host.tasks.plan.types.keys).union(try host.bots.taskTypes()).sorted()
      },
      list("bot-types", member: "bot_types", summary: "Lists the types of bots.") { host in
        BotType.builtIn.map(\.name) + host.bots.plan.types
      },
      list("priorities", member: "priorities", summary: "Lists the priorities.") { _ in
        PriorityLevel.allCases.map(\.rawValue)
      },
    ]
  }

  private func list(
    _ path: String, member: String, summary: String,
    names: @escaping @Sendable (HostApplication) throws -> [String]
  ) -> APIRoute {
    APIRoute(
      .get, "\(Self.base)/\(path)", operation: "taskbot_\(member)", summary: summary, tag: .taskbot,
      for: .read,
      replies: [.ok(.taskBot("List_\(member)", member))]
    ) { [host] _ in
      try await TaskRoutes.reply {
        .object([member: .array(try names(host).map { .string($0) })])
      }
    }
  }
}
