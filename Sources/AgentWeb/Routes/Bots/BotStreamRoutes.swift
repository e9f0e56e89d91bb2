internal import AgentAccess
internal import AgentBots
internal import AgentEvents
internal import AgentJSON
internal import AgentHost
internal import AgentTasks
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird

/// Streams new offers to a bot. The id of each event is the offer's number. After a lost
/// connection, the bot gets the open offers that it hasn't seen.
struct BotStreamRoutes {
  let host: HostApplication

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "bots/{id}/assignments/stream", operation: "stream_bot_assignments",
        summary: "Streams the offers to a bot: first the open offers, then each new one; with "
          + "Last-Event-ID or after, the offers made since.", tag: .bots, for: .execute,
        parameters: [
          BotRoutes.id,
          .query(
            "after", .integer(0...APIParameter.maxNumber),
            summary: "number of the last assignment received"
          ),
        ],
        replies: [
          .text(
            [.events],
            "One assignment with its task per message. The id is the assignment's number.")
        ],
        options: [.streams, .forBots]
      ) { [host] call in
        try await TaskRoutes.answer { try Self.stream(call.path("id"), call: call, host: host) }
      }
    ]
  }

  private static func stream(_ bot: String, call: APICall, host: HostApplication) throws
    -> Response
  {
    let after = try call.lastPosition(as: Int64.self) ?? 0
    let offers = try host.bots.stream(of: bot, after: after, by: call.authority)
    return Response(
      streaming: offers, to: call, as: MediaType.events.rawValue, opening: ": \n\n",
      text: { offer in
        "id: \(offer.number)\nevent: assignment\ndata: \(offer.json.text())\n\n"
      }, end: { offers.end() })
  }
}
