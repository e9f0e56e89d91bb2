internal import AgentAccess
internal import AgentAssignment
internal import AgentBots
internal import AgentHost
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird

/// Routes of the bot registry.
struct BotRoutes {
  let host: HostApplication

  var routes: [APIRoute] { looking + changing + AssignmentRoutes(host: host).routes }

  static let id = APIParameter.path("id", "the bot")

  /// Checks that a bot's own token is used for that bot only, whatever its scopes.
  static func check(_ call: APICall, isFor bot: String) throws {
    guard call.principal.kind == .bot, call.principal.name != bot else { return }
    throw APIProblem.forBotsOnly(call.principal)
  }

  // MARK: Looking

  private var looking: [APIRoute] {
    [
      APIRoute(
        .get, "bots", operation: "list_bots",
        summary: "Lists bots with their status and capabilities.", tag: .bots,
        for: .read,
        parameters: [
          .query("type", .text, summary: "only bots of this type"),
          .query(
            "status", .choice(BotStatus.allCases.map(\.rawValue)),
            summary: "only bots with this status"),
          .query("task_type", .text, summary: "only bots that can do this type of task"),
          .query(
            "after", .text,
            summary: "only bots with a greater id, to continue after the previous page"),
          .query("limit", .integer(1...1000), summary: "maximum number of results; all by default"),
        ], replies: [.ok(.bots)], options: .large
      ) { [host] call in
        try await TaskRoutes.reply {
          .object(
            try host.bots.botPage(
              type: call.text("type"),
              status: call.text("status").flatMap(BotStatus.init(rawValue:)),
              taskType: call.text("task_type"), after: call.text("after"),
              limit: call.integer("limit") ?? .max, for: call.authority))
        }
      },
      APIRoute(
        .get, "bots/{id}", operation: "get_bot", summary: "Returns a bot.", tag: .bots, for: .read,
        parameters: [Self.id],
        replies: [.ok(.bot)], options: .forBots
      ) { [host] call in
        try Self.check(call, isFor: call.path("id"))
        return try await TaskRoutes.reply {
          .object(try host.bots.bot(call.path("id"), for: call.authority))
        }
      },
      APIRoute(
        .get, "bots/{id}/stats", operation: "get_bot_stats",
        summary: "Returns statistics of a bot.", tag: .bots,
        for: .read,
        parameters: [Self.id], replies: [.ok(.botStatistics)], options: .forBots
      ) { [host] call in
        try Self.check(call, isFor: call.path("id"))
        return try await TaskRoutes.reply {
          .object(try await host.bots.stats(of: call.path("id")))
        }
      },
      APIRoute(
        .get, "bot-stats", operation: "get_bots_stats",
        summary: "Returns statistics of all bots and of the tasks that wait for them.", tag: .bots,
        for: .read, replies: [.ok(.botStatistics)]
      ) { [host] _ in
        try await TaskRoutes.reply { .object(try await host.bots.systemStats()) }
      },
      APIRoute(
        .get, "bot-pools", operation: "list_bot_pools", summary: "Lists the pools and their sizes.",
        tag: .bots,
        for: .read, replies: [.ok(.botPools)]
      ) { [host] _ in
        Response(["pools": .array(host.work.pools.reports.map { .object($0.json) })])
      },
      APIRoute(
        .get, "tasks/{id}/candidates", operation: "explain_assignment",
        summary: "Explains for each bot why it would or would not get a task.", tag: .bots,
        for: .read,
        parameters: [TaskRoutes.id],
        replies: [
          .ok(
            .object(
              "TaskCandidates", required: ["decision", "bots"],
              [
                "decision": ["type": "object"], "bots": ["type": "array"],
              ], open: true))
        ]
      ) { [host] call in
        try await TaskRoutes.reply {
          .object(try await host.bots.explain(call.number("id"), for: call.authority))
        }
      },
    ]
  }

  // MARK: Changing

  private var changing: [APIRoute] {
    [
      APIRoute(
        .post, "bots", operation: "register_bot", summary: "Registers a bot. It is online at once.",
        tag: .bots,
        for: .operate, body: .json(.newBot), replies: [.json(.created, .bot)],
        options: .repeatable
      ) { [host] call in
        try await TaskRoutes.answer {
          let bot = try await host.bots.register(
            Self.definition(call, host), by: call.authority)
          return Response(.object(bot), status: .created)
        }
      },
      APIRoute(
        .put, "bots/{id}", operation: "update_bot",
        summary: "Replaces a bot's definition. Its assignments stay.",
        tag: .bots, for: .operate, parameters: [Self.id], body: .json(.newBot),
        replies: [.ok(.bot)], options: .forBots
      ) { [host] call in
        try await TaskRoutes.reply {
          .object(
            try await host.bots.update(
              call.path("id"), Self.definition(call, host), by: call.authority))
        }
      },
      APIRoute(
        .put, "bots/{id}/status", operation: "set_bot_status", summary: "Sets a bot's status.",
        tag: .bots,
        for: .execute, parameters: [Self.id], body: .json(.botWord), replies: [.ok(.bot)],
        options: .forBots
      ) { [host] call in
        try await TaskRoutes.reply {
          let status = BotStatus(rawValue: call.body["status"]?.string ?? "") ?? .online
          return .object(try await host.bots.say(call.path("id"), status, by: call.authority))
        }
      },
      APIRoute(
        .post, "bots/{id}/heartbeat", operation: "bot_heartbeat",
        summary:
          "Records a bot's heartbeat. After the first one, a bot without heartbeats counts as "
          + "missing.",
        tag: .bots,
        for: .execute, parameters: [Self.id], replies: [.ok(.bot)], options: [.unaudited, .forBots]
      ) { [host] call in
        try await TaskRoutes.reply {
          .object(try await host.bots.heartbeat(call.path("id"), by: call.authority))
        }
      },
      APIRoute(
        .delete, "bots/{id}", operation: "unregister_bot",
        summary: "Unregisters a bot. Its tasks are requeued.", tag: .bots, for: .operate,
        parameters: [Self.id],
        replies: [.ok(.object("BotGone", required: ["id"], ["id": ["type": "string"]]))],
        options: .forBots
      ) { [host] call in
        try await TaskRoutes.reply {
          try await host.bots.unregister(call.path("id"), by: call.authority)
          return ["id": .string(call.path("id"))]
        }
      },
      APIRoute(
        .put, "assignment-strategy", operation: "set_assignment_strategy",
        summary: "Sets the strategy that chooses a bot for each task.", tag: .bots, for: .operate,
        body: .json(.chosenStrategy), replies: [.ok(.chosenStrategy)]
      ) { [host] call in
        try await TaskRoutes.reply {
          try await host.bots.choose(
            strategy: call.body["assignment_strategy"]?.string ?? "", by: call.authority)
          return ["assignment_strategy": .string(host.bots.strategy)]
        }
      },
    ]
  }

  /// Returns the bot that a body describes. Throws every problem with it.
  static func definition(_ call: APICall, _ host: HostApplication) throws -> BotDefinition {
    guard let root = call.document?.root else { throw HostError(.invalid, "There is no body.") }
    let bot = try host.bots.definition(in: root, called: "The body")
    if let problem = bot.webhook.flatMap({ host.problem(with: $0) }) {
      throw HostError(.invalid, "webhook: \(problem)")
    }
    return bot
  }
}
