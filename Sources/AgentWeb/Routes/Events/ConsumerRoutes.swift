internal import AgentAccess
internal import AgentEvents
internal import AgentJSON
internal import AgentHost
internal import AgentWorkers
internal import Hummingbird

/// Routes of the log's durable consumers.
struct ConsumerRoutes {
  let host: HostApplication

  private static let consumer = Shape.object(
    "Consumer", required: ["name", "position", "behind"],
    [
      "name": ["type": "string"], "position": ["type": "integer"], "behind": ["type": "integer"],
      "created": ["type": "integer"], "updated": ["type": "integer"],
    ])

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "events/consumers", operation: "list_consumers",
        summary: "Lists the durable consumers of the event log.",
        tag: .events,
        for: .read, replies: [.ok(.list("Consumers", "consumers", of: Self.consumer))]
      ) { [host] _ in
        let consumers = try await host.events.consumers()
        return Response(["consumers": .array(consumers.map { .object($0.json) })])
      },
      APIRoute(
        .delete, "events/consumers/{name}", operation: "forget_consumer",
        summary: "Deletes a consumer and its position. A new consumer with its name starts afresh.",
        tag: .events, for: .operate,
        parameters: [.path("name", "the consumer")],
        replies: [.ok(.object("Named", required: ["name"], ["name": ["type": "string"]]))]
      ) { [host] call in
        let name = call.path("name")
        let isGone: Bool
        do {
          isGone = try await host.events.forget(consumer: name)
        } catch let error as EventError where error.code == .reserved {
          throw HostError(.conflict, error.message)
        }
        guard isGone else {
          throw HostError(
            .notFound, "There is no consumer \"\(name)\"; agent events consumers lists them.")
        }
        return Response(["name": .string(name)])
      },
    ]
  }
}

extension EventConsumer {
  /// The consumer as an object.
  fileprivate var json: JSONObject {
    [
      "name": .string(name), "position": JSONValue(position), "behind": JSONValue(behind),
      "created": JSONValue(created), "updated": JSONValue(updated),
    ]
  }
}
