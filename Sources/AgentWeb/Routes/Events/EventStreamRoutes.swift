internal import AgentAccess
internal import AgentEvents
internal import AgentHost
internal import AgentJSON
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird

/// Streams new events. The id of each event is its position in the log. After a lost connection, a
/// client continues behind the last event that it got. Browsers do that by themselves.
struct EventStreamRoutes {
  let host: HostApplication

  /// The maximum number of events that wait in memory for a stream. The others are read from the
  /// log.
  private static let most = 256
  /// The size after which text is sent, in bytes. A single event may be larger.
  private static let maxBytes = 256 << 10

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "events/stream", operation: "stream_events",
        summary:
          "Streams new events that match a filter; with Last-Event-ID or after, first the earlier "
          + "events after that position in the log.", tag: .events, for: .read,
        parameters: [
          .query("query", .text, summary: "a filter; * by default"),
          .query("after", .integer(0...Int.max), summary: "id of the last event received"),
          .query(
            "window_ms", .integer(0...Int.max),
            summary: "first send the events of the last milliseconds, this many"),
        ],
        replies: [
          .text(
            [.events, .lines],
            "One event per message with its position as id, or one event per line.")
        ], options: .streams
      ) { [host] call in try await Self.stream(call, host) }
    ]
  }

  private static func stream(_ call: APICall, _ host: HostApplication) async throws -> Response {
    // Before, the log seems to end before the id that a client has from the host that was here.
    await host.database.settled()
    let query: EventQuery
    do {
      query = try EventQuery(parsing: call.text("query") ?? "*")
    } catch {
      throw HostError(.invalid, "\(error)")
    }
    let (signals, source) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // A client that resumes has had its window.
    let window = call.lastEventID == nil ? call.integer("window_ms") ?? 0 : 0
    let subscription = host.events.subscribe(
      to: query, window: Int64(window), after: try call.lastPosition(as: UInt64.self),
      capacity: most, overflow: .readLog, account: call.account
    ) { _ in source.yield() }
    source.onTermination = { [events = host.events] _ in events.unsubscribe(subscription) }
    let isLines = call.request.headers[.accept]?.contains(MediaType.lines.rawValue) == true
    let opening = isLines ? "\n" : subscription.beganAnew ? restart(subscription) : ": \n\n"
    return Response(
      streaming: signals, to: call,
      as: (isLines ? MediaType.lines : .events).rawValue, opening: opening, isRepeated: true,
      text: { _ in text(of: subscription, asLines: isLines) }, end: { source.finish() })
  }

  /// Returns the message that the log ends before the requested id. It has the id to continue from.
  private static func restart(_ subscription: EventSubscription) -> String {
    let data: JSONValue = [
      "message": .string(
        "The log ends before the requested id. The stream starts afresh with new events."
      )
    ]
    return "id: \(subscription.position)\nevent: stream_restarted\ndata: \(data.text())\n\n"
  }

  /// Returns the text of waiting events. It is empty if none waits.
  private static func text(of subscription: EventSubscription, asLines: Bool) -> String {
    var text = ""
    // Events are taken one at a time. The others stay in the queue, which is bounded.
    while text.utf8.count < maxBytes, let event = subscription.take(1).events.first {
      let json = String(decoding: event.encoded, as: UTF8.self)
      text +=
        asLines
        ? json + "\n" : "id: \(event.position)\nevent: \(name(of: event))\ndata: \(json)\n\n"
    }
    return text
  }

  /// Returns the type without line ends. A field of a server-sent event can't hold them.
  private static func name(of event: Event) -> String {
    String(event.type.map { $0.isNewline ? " " : $0 })
  }
}
