internal import AgentAccess
internal import AgentBots
internal import AgentJSON
internal import AgentHost
internal import AgentStore
internal import HTTPTypes
internal import Hummingbird

/// Routes of the assignments, for their lists and for the answers of bots.
struct AssignmentRoutes {
  let host: HostApplication

  var routes: [APIRoute] { looking + answering + BotStreamRoutes(host: host).routes }

  static let id = APIParameter.number("id", "the assignment")
  static let status = APIParameter.query(
    "status", .choice(AssignmentRow.State.allCases.map(\.rawValue)),
    summary: "only assignments in this state")
  static let limit = APIParameter.query(
    "limit", .integer(1...1000), summary: "maximum number of results; 100 by default")

  // MARK: Looking

  private var looking: [APIRoute] {
    [
      APIRoute(
        .get, "assignments", operation: "list_assignments",
        summary: "Lists assignments, newest first.",
        tag: .bots, for: .read,
        parameters: [
          Self.status, .query("bot", .text, summary: "only assignments of this bot"),
          .query(
            "task", .integer(1...APIParameter.maxNumber), summary: "only assignments of this task"),
          .query(
            "before", .integer(1...APIParameter.maxNumber),
            summary: "only assignments with a number below this"),
          Self.limit,
        ], replies: [.ok(.assignments)], options: [.forBots, .large]
      ) { [host] call in
        try await TaskRoutes.reply {
          .object(try await host.bots.page(Self.selection(call), for: call.authority))
        }
      },
      APIRoute(
        .get, "assignments/{id}", operation: "get_assignment",
        summary: "Returns an assignment with its score and reasons.",
        tag: .bots, for: .execute, parameters: [Self.id], replies: [.ok(.assignment)],
        options: .forBots
      ) { [host] call in
        try await TaskRoutes.reply {
          .object(
            AssignmentReport(
              try await host.bots.assignment(call.number("id"), for: call.authority)
            ).json)
        }
      },
      APIRoute(
        .get, "bots/{id}/assignments", operation: "get_bot_assignments",
        summary:
          "Lists the open offers to a bot, oldest first. Where there are none, waits for the next.",
        tag: .bots, for: .execute,
        parameters: [
          BotRoutes.id,
          .query(
            "wait_ms", .integer(0...600_000),
            summary: "longest wait in milliseconds; none by default"),
          .query(
            "after", .integer(0...APIParameter.maxNumber),
            summary: "only offers with a number above this"),
        ], replies: [.ok(.offers)], options: [.slow, .forBots]
      ) { [host] call in
        try await TaskRoutes.reply {
          .object(
            try await host.bots.offers(
              to: call.path("id"), after: Int64(call.integer("after") ?? 0),
              milliseconds: Int64(call.integer("wait_ms") ?? 0), by: call.authority
            ).json)
        }
      },
      APIRoute(
        .get, "inbox", operation: "get_inbox",
        summary:
          "Lists the assignments that wait for a person's answer or that the person has accepted.",
        tag: .bots, for: .read,
        parameters: [
          .query(
            "user", .text,
            summary: "the person; by default the person who asks, or everyone when a program asks"),
          .query(
            "before", .integer(1...APIParameter.maxNumber),
            summary: "only assignments with a number below this"),
        ], replies: [.ok(.assignments)], options: .large
      ) { [host] call in
        try await TaskRoutes.reply {
          let own = call.principal.kind == .person ? call.principal.name : nil
          return .object(
            try await host.bots.inbox(
              of: call.text("user") ?? own, before: call.integer("before").map(Int64.init)))
        }
      },
    ]
  }

  private static func selection(_ call: APICall) -> AssignmentSelection {
    let own = call.principal.kind == .bot ? call.principal.name : nil
    return AssignmentSelection(
      states: call.text("status").flatMap(AssignmentRow.State.init(rawValue:)).map { [$0] },
      bot: own ?? call.text("bot"), task: call.integer("task").map(Int64.init),
      before: call.integer("before").map(Int64.init), limit: call.integer("limit") ?? 100)
  }

  // MARK: Answering

  private var answering: [APIRoute] {
    [
      APIRoute(
        .post, "assignments", operation: "assign_task",
        summary: "Assigns a task to a bot. Without a bot, the strategy chooses one.", tag: .bots,
        for: .operate, body: .json(.newAssignment), replies: [.json(.created, .assignment)],
        options: [.named, .repeatable]
      ) { [host] call in
        try await TaskRoutes.answer {
          let row = try await host.bots.assign(
            Int64(call.body["task_id"]?.string ?? "") ?? 0, to: call.body["bot_id"]?.string,
            by: call.authority)
          return Response(.object(AssignmentReport(row).json), status: .created)
        }
      },
      act(
        "accept", summary: "Accepts an assignment.", body: .json(.acceptance, isOptional: true)
      ) { host, id, call in
        try await host.bots.accept(
          id, lease: call.body["lease_ms"]?.int.map(Int64.init), by: call.authority)
      },
      act(
        "reject", summary: "Rejects an assignment. The task is offered to other bots.",
        body: .json(.rejection, isOptional: true)
      ) { host, id, call in
        try await host.bots.reject(
          id, reason: call.body["reason"]?.string ?? "", by: call.authority)
      },
      act(
        "complete", summary: "Reports that an assignment is done or has failed.",
        body: .json(.completion, isOptional: true)
      ) { host, id, call in
        try await host.bots.complete(id, TaskDispatcher.Ending(call.body), by: call.authority)
      },
      APIRoute(
        .post, "assignments/{id}/heartbeat", operation: "assignment_heartbeat",
        summary:
          "Reports that a bot still works, with its progress. The response says whether to stop.",
        tag: .bots, for: .execute, parameters: [Self.id],
        body: .json(.workHeartbeat, isOptional: true), replies: [.ok(.workSeen)],
        options: [.unaudited, .forBots]
      ) { [host] call in
        try await TaskRoutes.reply {
          let lines = (call.body["logs"]?.array ?? []).map {
            (stream: $0["stream"]?.string ?? "stdout", text: $0["text"]?.string ?? "")
          }
          let seen = try await host.bots.heartbeat(
            call.number("id"), progress: call.body["progress"], lines: lines,
            lease: call.body["lease_ms"]?.int.map(Int64.init), by: call.authority)
          return [
            "assignment": .object(AssignmentReport(seen.row).json),
            "cancelling": .bool(seen.isCancelling),
          ]
        }
      },
    ]
  }

  private func act(
    _ verb: String, summary: String, body: APIBody,
    work: @escaping @Sendable (HostApplication, Int64, APICall) async throws -> AssignmentRow
  ) -> APIRoute {
    APIRoute(
      .post, "assignments/{id}/\(verb)", operation: "\(verb)_assignment", summary: summary,
      tag: .bots, for: .execute,
      parameters: [Self.id], body: body, replies: [.ok(.assignment)], options: .forBots
    ) { [host] call in
      try await TaskRoutes.reply {
        let row = try await work(host, call.number("id"), call)
        return .object(AssignmentReport(row).json)
      }
    }
  }
}
