internal import AgentAssignment
internal import AgentBots
internal import AgentJSON
internal import AgentStore
internal import AgentTasks

extension TaskMethod {
  /// Bots: the register, how they stand, figures, and by what it is decided who gets a task.
  static let aboutBots: [TaskMethod] = [
    TaskMethod("register_bot", BotSchemas.newBot) { visit in
      let definition = try visit.definition()
      // The same again after a restart is the same bot.
      let report = try await visit.bots.register(
        definition, id: try visit.own(named: definition.name), by: visit.authority)
      visit.registered(report["id"]?.string ?? "")
      return .object(report)
    },
    TaskMethod("update_bot", shape(BotSchemas.newBot, required: ["id"], bot)) { visit in
      .object(
        try await visit.bots.update(visit.bot, visit.definition(), by: visit.authority))
    },
    TaskMethod("set_bot_status", shape(BotSchemas.word, required: ["id"], bot)) { visit in
      let status = visit.text("status").flatMap(BotStatus.init(rawValue:)) ?? .online
      return .object(try await visit.bots.say(visit.bot, status, by: visit.authority))
    },
    TaskMethod("bot_heartbeat", shape(required: ["id"], bot)) { visit in
      .object(try await visit.bots.heartbeat(visit.bot, by: visit.authority))
    },
    TaskMethod("unregister_bot", shape(required: ["id"], bot)) { visit in
      try await visit.bots.unregister(visit.bot, by: visit.authority)
      return ["id": .string(visit.bot)]
    },
    TaskMethod(
      "list_bots", shape(nil, ["type": text, "status": BotSchemas.status, "task_type": text])
    ) { visit in
      let bots = try visit.bots.bots(
        type: visit.text("type"), status: visit.text("status").flatMap(BotStatus.init(rawValue:)),
        taskType: visit.text("task_type"))
      return ["bots": .array(bots.map(JSONValue.object))]
    },
    TaskMethod("get_bot", shape(required: ["id"], bot)) { visit in
      .object(try visit.bots.bot(visit.bot))
    },
    TaskMethod("get_bot_stats", shape(required: ["id"], bot)) { visit in
      .object(try await visit.bots.stats(of: visit.bot))
    },
    TaskMethod("get_bots_stats", shape()) { visit in
      .object(try await visit.bots.systemStats())
    },
    TaskMethod("get_assignment_strategy", shape()) { visit in
      [
        "assignment_strategy": .string(visit.bots.strategy),
        "strategies": .array(visit.bots.strategies.map(JSONValue.string)),
      ]
    },
    TaskMethod("set_assignment_strategy", BotSchemas.strategy) { visit in
      try await visit.bots.choose(
        strategy: visit.text("assignment_strategy") ?? "", by: visit.authority)
      return ["assignment_strategy": .string(visit.bots.strategy)]
    },
  ]

  /// Assignments: who has what, and what bots say of it.
  static let aboutAssignments: [TaskMethod] = [
    TaskMethod("assign_task", BotSchemas.newAssignment) { visit in
      report(
        try await visit.bots.assign(
          visit.number("task_id") ?? 0, to: visit.text("bot_id"), by: visit.authority))
    },
    TaskMethod("explain_assignment", shape(required: ["id"], number)) { visit in
      .object(try await visit.bots.explain(visit.id, for: visit.authority))
    },
    TaskMethod(
      "list_assignments",
      shape(
        nil,
        [
          "status": ["enum": .array(AssignmentRow.State.allCases.map { .string($0.rawValue) })],
          "bot": text, "task": TaskSchemas.number, "before": TaskSchemas.number, "limit": limit,
        ])
    ) { visit in
      .object(
        try await visit.bots.page(
          AssignmentSelection(
            states: visit.text("status").flatMap(AssignmentRow.State.init(rawValue:)).map { [$0] },
            bot: visit.text("bot"), task: visit.number("task"), before: visit.number("before"),
            limit: Int(visit.integer("limit") ?? 100)), for: visit.authority))
    },
    TaskMethod("get_assignment", shape(required: ["id"], number)) { visit in
      .object(try await visit.bots.report(of: visit.id, for: visit.authority))
    },
    TaskMethod(
      "get_bot_assignments", shape(required: ["id"], TaskSchemas.with(bot, ["wait_ms": wait]))
    ) { visit in
      let offers = try await visit.bots.offers(
        to: visit.bot, milliseconds: visit.integer("wait_ms") ?? 0, by: visit.authority)
      return ["assignments": .array(offers)]
    },
    TaskMethod("accept_assignment", shape(BotSchemas.acceptance, required: ["id"], number)) {
      visit in
      report(
        try await visit.bots.accept(
          visit.id, lease: visit.integer("lease_ms"), by: visit.authority))
    },
    TaskMethod("reject_assignment", shape(BotSchemas.rejection, required: ["id"], number)) {
      visit in
      report(
        try await visit.bots.reject(
          visit.id, reason: visit.text("reason") ?? "", by: visit.authority))
    },
    TaskMethod("complete_assignment", shape(BotSchemas.completion, required: ["id"], number)) {
      visit in
      report(
        try await visit.bots.complete(
          visit.id, TaskDispatcher.Ending(visit.input), by: visit.authority))
    },
    TaskMethod("assignment_heartbeat", shape(BotSchemas.heartbeat, required: ["id"], number)) {
      visit in
      let lines = (visit.root["logs"].map { Array($0.elements) } ?? []).map {
        (stream: $0["stream"]?.string ?? "stdout", text: $0["text"]?.string ?? "")
      }
      let seen = try await visit.bots.heartbeat(
        visit.id, progress: visit.root["progress"]?.value, lines: lines,
        lease: visit.integer("lease_ms"), by: visit.authority)
      return ["assignment": report(seen.row), "cancelling": .bool(seen.isCancelling)]
    },
  ]

  static func report(_ row: AssignmentRow) -> JSONValue { .object(AssignmentReport(row).json) }
}
