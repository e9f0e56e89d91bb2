internal import AgentAccess
internal import AgentEvents
internal import AgentJSON
internal import AgentRuntime
internal import HTTPTypes
internal import Hummingbird

/// Events as they happen. Each has its position in the log as its id, so that a client that lost
/// the connection goes on behind the last one it got: browsers do so by themselves.
struct EventStreamRoutes {
  let host: AgentHost

  /// How many events a stream takes at a time.
  private static let most = 256

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "events/stream", "stream_events",
        "Events that match a filter, as they happen; with Last-Event-ID or after, first those "
          + "behind that place in the log.", tag: .events, for: .read,
        parameters: [
          .query("query", .text, "a filter; * when it isn't given"),
          .query("after", .integer(0...Int.max), "the id of the last event that was seen"),
          .query("window_ms", .integer(0...Int.max), "those of the last milliseconds first"),
        ],
        replies: [
          .text([.events, .lines], "An event a message, its position as id; or a line each.")
        ], options: .streams
      ) { [host] call in try Self.stream(call, host) }
    ]
  }

  private static func stream(_ call: APICall, _ host: AgentHost) throws -> Response {
    let query: EventQuery
    do {
      query = try EventQuery(parsing: call.text("query") ?? "*")
    } catch {
      throw HostError(.invalid, "\(error)")
    }
    let (signals, source) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let subscription = host.events.subscribe(
      to: query, window: Int64(call.integer("window_ms") ?? 0), after: try after(call),
      capacity: most, overflow: .readLog
    ) { _ in source.yield() }
    source.onTermination = { [events = host.events] _ in events.unsubscribe(subscription) }
    let isLines = call.request.headers[.accept]?.contains(MediaType.lines.rawValue) == true
    let opening = isLines ? "\n" : ": \n\n"
    return Response(
      streaming: signals, to: call,
      as: (isLines ? MediaType.lines : .events).rawValue, opening: opening,
      text: { _ in text(of: subscription, asLines: isLines) }, end: { source.finish() })
  }

  /// All that waits now.
  private static func text(of subscription: EventSubscription, asLines: Bool) -> String {
    var text = ""
    while true {
      let events = subscription.take(most).events
      if events.isEmpty { return text }
      for event in events {
        let json = JSONValue.object(event.object).text()
        text +=
          asLines
          ? json + "\n" : "id: \(event.position)\nevent: \(name(of: event))\ndata: \(json)\n\n"
      }
    }
  }

  /// A type may hold anything, a field of a stream no end of a line.
  private static func name(of event: Event) -> String {
    String(event.type.map { $0.isNewline ? " " : $0 })
  }

  private static func after(_ call: APICall) throws(HostError) -> UInt64? {
    if let after = call.integer("after") { return UInt64(after) }
    guard let header = call.request.headers[.lastEventID], !header.isEmpty else { return nil }
    guard let position = UInt64(header) else {
      throw HostError(
        .invalid, "Last-Event-ID is the id of an event of this stream; found \"\(header)\".")
    }
    return position
  }
}

extension HTTPField.Name {
  static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .server
}
