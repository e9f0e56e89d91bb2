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
    let after = try after(call)
    let offers = try host.bots.stream(of: bot, after: after, by: call.authority)
    return Response(
      streaming: offers, to: call, as: MediaType.events.rawValue, opening: ": \n\n",
      text: { offer in
        "id: \(offer.number)\nevent: assignment\ndata: \(offer.json.text())\n\n"
      }, end: { offers.end() })
  }

  private static func after(_ call: APICall) throws(HostError) -> Int64 {
    if let after = call.integer("after") { return Int64(after) }
    // Browsers send this header by themselves when they reconnect.
    guard let header = call.request.headers[.lastEventID], !header.isEmpty else { return 0 }
    guard let number = Int64(header), number >= 0 else {
      throw HostError(
        .invalid, "Last-Event-ID must be the id of a message of this stream; found \"\(header)\".")
    }
    return number
  }
}
