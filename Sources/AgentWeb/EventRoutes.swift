internal import AgentEvents
internal import AgentJSON
internal import AgentRuntime
internal import AgentStore
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore

/// Publish and look at events.
struct EventRoutes {
  let host: AgentHost

  func add(to routes: RouterGroup<BasicRequestContext>) {
    let host = host
    routes.get("events") { request, _ in
      let query: EventQuery
      do {
        query = try EventQuery(parsing: request.query("query") ?? "*")
      } catch {
        throw HostError(.invalid, "\(error)")
      }
      let window = try request.integer("window_ms").map(Int64.init)
      let limit = min(try request.integer("limit") ?? 100, 10_000)
      let found = try await host.events.events(
        matching: query, window: window, limit: limit)
      return Response([
        "events": .array(found.events.map { .object($0.object) }),
        "truncated": .bool(found.truncated),
      ])
    }
    routes.get("events/types") { _, _ in
      let types = try await host.events.types()
      return Response(["types": .array(types.map { .object($0.json) })])
    }
    routes.post("events") { request, _ in
      if EventLines.areIn(request) { return try await EventLines(host: host).store(request) }
      let body = try await RequestSchema.events.body(of: request)
      let objects = (body.array ?? [body]).compactMap(\.object)
      do throws(EventError) {
        let events = try await host.events.store(objects, source: "api")
        return Response(
          ["accepted": .number(JSONNumber(events.count))], status: .created)
      } catch {
        // What can't be stored now may be sent again.
        throw HostError(error.code == .storage ? .notReady : .invalid, "\(error)")
      }
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
