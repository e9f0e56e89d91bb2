internal import AgentAccess
internal import AgentEvents
internal import AgentJSON
internal import AgentHost
internal import AgentStore
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore

/// Routes that publish and find events.
struct EventRoutes {
  let host: HostApplication

  private static let found = Shape.object(
    "Events", required: ["events", "truncated"],
    [
      "events": ["type": "array", "items": ["type": "object"]],
      "truncated": ["type": "boolean", "description": "whether more events match"],
    ])
  private static let summary = Shape.object(
    "EventType", required: ["type", "count", "bytes"],
    [
      "type": ["type": "string"], "count": ["type": "integer"], "bytes": ["type": "integer"],
      "first": ["type": "integer"], "last": ["type": "integer"],
    ])

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "events", operation: "list_events",
        summary: "Lists the events of the log that match a filter, oldest first.",
        tag: .events, for: .read,
        parameters: [
          .query("query", .text, summary: "a filter; * by default"),
          .query(
            "window_ms", .integer(0...Int.max),
            summary: "only events of the last milliseconds, this many"),
          .query(
            "limit", .integer(0...10_000),
            summary: "maximum number of events, the newest ones; 100 by default"),
        ], replies: [.ok(Self.found)], options: [.slow, .large]
      ) { [host] call in try await Self.find(call, in: host) },
      APIRoute(
        .get, "events/types", operation: "list_event_types",
        summary: "Counts the events in the log by type.",
        tag: .events,
        for: .read, replies: [.ok(.list("EventTypes", "types", of: Self.summary))]
      ) { [host] _ in
        let types = try await host.events.types()
        return Response(["types": .array(types.map { .object($0.json) })])
      },
      APIRoute(
        .post, "events", operation: "publish_events",
        summary:
          "Publishes events. The response comes when they are durable. Their default source is api.",
        tag: .events, for: .execute, body: .jsonOrLines(.events),
        replies: [.json(.created, .accepted)], options: [.unaudited, .repeatable]
      ) { [host] call in try await Self.publish(call, to: host) },
    ]
  }

  private static func find(_ call: APICall, in host: HostApplication) async throws -> Response {
    let query: EventQuery
    do {
      query = try EventQuery(parsing: call.text("query") ?? "*")
    } catch {
      throw HostError(.invalid, "\(error)")
    }
    let found = try await host.events.events(
      matching: query, window: call.integer("window_ms").map(Int64.init),
      limit: call.integer("limit") ?? 100)
    return Response([
      "events": .array(found.events.map { .object($0.object) }),
      "truncated": .bool(found.truncated),
    ])
  }

  private static func publish(_ call: APICall, to host: HostApplication) async throws -> Response {
    guard call.document != nil else {
      return try await EventLines(host: host).store(call.request, share: call.share)
    }
    let objects = (call.body.array ?? [call.body]).compactMap(\.object)
    do throws(EventError) {
      let events = try await host.events.store(objects, source: "api")
      return Response(["accepted": .number(JSONNumber(events.count))], status: .created)
    } catch {
      // A failure of the store may pass, so the client may send the events again.
      throw HostError(error.code == .storage ? .notReady : .invalid, "\(error)")
    }
  }
}

extension EventTypeSummary {
  /// The summary as an object.
  var json: JSONObject {
    var object: JSONObject = [
      "type": .string(type), "count": JSONValue(count), "bytes": JSONValue(bytes),
    ]
    object["first"] = first.map { JSONValue($0) }
    object["last"] = last.map { JSONValue($0) }
    return object
  }
}
