internal import AgentAssignment
internal import AgentBots
internal import AgentJSON
internal import AgentStore
internal import AgentTasks

extension TaskMethod {
  /// The methods for bots: registration, status, statistics, and the strategy that assigns tasks.
  static let aboutBots: [TaskMethod] = [
    TaskMethod("register_bot", input: BotSchemas.newBot) { request in
      let definition = try request.definition()
      // A worker that registers the same name again after a restart gets the same bot.
      let own = try request.own(named: definition.name)
      let id = own ?? TaskDispatcher.newID()
      // Before it is stored: the end of the former worker may still be about to set it offline, and a
      // write that fails may be stored.
      request.registered(id)
      do {
        let report = try await request.bots.register(definition, id: id, by: request.authority)
        // Again, because the worker may have ended meanwhile.
        request.registered(id)
        return .object(report)
      } catch {
        if own == nil, (error as? StoreError)?.isDoubtful != true { request.refused(id) }
        throw error
      }
    },
    TaskMethod("update_bot", input: shape(BotSchemas.newBot, required: ["id"], bot)) { request in
      .object(
        try await request.bots.update(request.bot, request.definition(), by: request.authority))
    },
    TaskMethod("set_bot_status", input: shape(BotSchemas.word, required: ["id"], bot)) { request in
      let status = request.text("status").flatMap(BotStatus.init(rawValue:)) ?? .online
      return .object(try await request.bots.say(request.bot, status, by: request.authority))
    },
    TaskMethod("bot_heartbeat", input: shape(required: ["id"], bot)) { request in
      .object(try await request.bots.heartbeat(request.bot, by: request.authority))
    },
    TaskMethod("unregister_bot", input: shape(required: ["id"], bot)) { request in
      try await request.bots.unregister(request.bot, by: request.authority)
      return ["id": .string(request.bot)]
    },
    TaskMethod(
      "list_bots",
      input: shape(
        nil,
        [
          "type": text, "status": BotSchemas.status, "task_type": text, "after": text,
          "limit": limit,
        ]), isLarge: true
    ) { request in
      .object(
        try request.bots.botPage(
          type: request.text("type"),
          status: request.text("status").flatMap(BotStatus.init(rawValue:)),
          taskType: request.text("task_type"), after: request.text("after"),
          limit: Int(request.integer("limit") ?? .max)))
    },
    TaskMethod("get_bot", input: shape(required: ["id"], bot)) { request in
      .object(try request.bots.bot(request.bot))
    },
    TaskMethod("get_bot_stats", input: shape(required: ["id"], bot)) { request in
      .object(try await request.bots.stats(of: request.bot))
    },
    TaskMethod("get_bots_stats", input: shape()) { request in
      .object(try await request.bots.systemStats())
    },
    TaskMethod("get_assignment_strategy", input: shape()) { request in
      [
        "assignment_strategy": .string(request.bots.strategy),
        "strategies": .array(request.bots.strategies.map(JSONValue.string)),
      ]
    },
    TaskMethod("set_assignment_strategy", input: BotSchemas.strategy) { request in
      try await request.bots.choose(
        strategy: request.text("assignment_strategy") ?? "", by: request.authority)
      return ["assignment_strategy": .string(request.bots.strategy)]
    },
  ]

  /// The methods for assignments: assigning and reading, and the reports of bots.
  static let aboutAssignments: [TaskMethod] = [
    TaskMethod("assign_task", input: BotSchemas.newAssignment) { request in
      report(
        try await request.bots.assign(
          request.number("task_id") ?? 0, to: request.text("bot_id"), by: request.authority))
    },
    TaskMethod("explain_assignment", input: shape(required: ["id"], number)) { request in
      .object(try await request.bots.explain(request.id, for: request.authority))
    },
    TaskMethod(
      "list_assignments",
      input: shape(
        nil,
        [
          "status": ["enum": .array(AssignmentRow.State.allCases.map { .string($0.rawValue) })],
          "bot": text, "task": TaskSchemas.number, "before": TaskSchemas.number, "limit": limit,
        ]), isLarge: true
    ) { request in
      .object(
        try await request.bots.page(
          AssignmentSelection(
            states: request.text("status").flatMap(AssignmentRow.State.init(rawValue:)).map {
              [$0]
            },
            bot: request.text("bot"), task: request.number("task"),
            before: request.number("before"),
            limit: Int(request.integer("limit") ?? 100)), for: request.authority))
    },
    TaskMethod("get_assignment", input: shape(required: ["id"], number), isLarge: true) { request in
      .object(try await request.bots.report(of: request.id, for: request.authority))
    },
    TaskMethod(
      "get_bot_assignments",
      input: shape(
        required: ["id"], TaskSchemas.with(bot, ["wait_ms": wait, "after": TaskSchemas.number]))
    ) { request in
      let after = request.number("after") ?? 0
      try await request.bots.waitForOffers(
        to: request.bot, after: after, milliseconds: request.integer("wait_ms") ?? 0,
        by: request.authority)
      await request.turn.begin()
      return .object(
        try await request.bots.offers(
          to: request.bot, after: after, milliseconds: 0, by: request.authority
        ).json)
    },
    TaskMethod("accept_assignment", input: shape(BotSchemas.acceptance, required: ["id"], number)) {
      request in
      report(
        try await request.bots.accept(
          request.id, lease: request.integer("lease_ms"), by: request.authority))
    },
    TaskMethod("reject_assignment", input: shape(BotSchemas.rejection, required: ["id"], number)) {
      request in
      report(
        try await request.bots.reject(
          request.id, reason: request.text("reason") ?? "", by: request.authority))
    },
    TaskMethod("complete_assignment", input: shape(BotSchemas.completion, required: ["id"], number))
    {
      request in
      report(
        try await request.bots.complete(
          request.id, TaskDispatcher.Ending(request.input), by: request.authority))
    },
    TaskMethod("assignment_heartbeat", input: shape(BotSchemas.heartbeat, required: ["id"], number))
    {
      request in
      let lines = (request.root["logs"].map { Array($0.elements) } ?? []).map {
        (stream: $0["stream"]?.string ?? "stdout", text: $0["text"]?.string ?? "")
      }
      let seen = try await request.bots.heartbeat(
        request.id, progress: request.root["progress"]?.value, lines: lines,
        lease: request.integer("lease_ms"), by: request.authority)
      return ["assignment": report(seen.row), "cancelling": .bool(seen.isCancelling)]
    },
  ]

  static func report(_ row: AssignmentRow) -> JSONValue { .object(AssignmentReport(row).json) }
}
