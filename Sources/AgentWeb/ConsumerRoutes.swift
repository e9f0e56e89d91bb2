internal import AgentEvents
internal import AgentJSON
internal import AgentRuntime
internal import Hummingbird

/// Durable consumers of the log.
struct ConsumerRoutes {
  let host: AgentHost

  func add(to routes: RouterGroup<BasicRequestContext>) {
    let host = host
    routes.get("events/consumers") { _, _ in
      let consumers = try await host.events.consumers()
      return Response(["consumers": .array(consumers.map { .object($0.json) })])
    }
    routes.delete("events/consumers/:name") { _, context in
      let name = try context.parameter("name")
      guard try await host.events.forget(consumer: name) else {
        throw HostError(
          .notFound, "There is no consumer \"\(name)\"; agent events consumers lists them.")
      }
      return Response(["name": .string(name)])
    }
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
