internal import AgentAccess
internal import AgentDiagnostics
internal import AgentHost
internal import AgentJSON
internal import Hummingbird

/// `get_health`: whether the host is alive and ready, and the state of each part.
struct HealthRoutes {
  let host: HostApplication

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "health/live", operation: "get_liveness",
        summary: "Reports that the host responds. Needs no token.",
        tag: .diagnostics, for: nil,
        replies: [.ok(.object("Alive", required: ["status"], ["status": ["const": "ok"]]))],
        options: .unlimited
      ) { _ in Response(["status": "ok"]) },
      APIRoute(
        .get, "health/ready", operation: "get_readiness",
        summary: "Reports whether everything that the host needs is up.", tag: .diagnostics,
        for: .read,
        replies: [
          .ok(.readiness, "The host is ready."),
          .json(.serviceUnavailable, .readiness, summary: "The host isn't ready."),
        ]
      ) { [host] _ in
        let health = await host.health.report()
        return Response(Self.readiness(health), status: health.isReady ? .ok : .serviceUnavailable)
      },
      APIRoute(
        .get, "health", operation: "get_health",
        summary: "Returns the health of the host and of each part, and since when.",
        tag: .diagnostics, for: .read,
        replies: [
          .ok(.health, "The host is ready."),
          .json(.serviceUnavailable, .health, summary: "The host isn't ready."),
        ]
      ) { [host] _ in
        let health = await host.health.report()
        return Response(health.json, status: health.isReady ? .ok : .serviceUnavailable)
      },
    ]
  }

  private static func readiness(_ health: HealthReport) -> JSONValue {
    [
      "ready": .bool(health.isReady), "state": .string(health.state.rawValue),
      "reason": health.reason.map { .string($0) } ?? .null,
    ]
  }
}

extension Shape {
  private static let state: JSONValue = ["enum": ["ok", "starting", "degraded", "failing"]]
  private static let reason: JSONValue = [
    "type": ["string", "null"], "description": "why the state isn't ok",
  ]
  private static let since: JSONValue = ["type": "integer", "description": "Unix milliseconds"]

  fileprivate static let readiness = Shape.object(
    "Readiness", required: ["ready", "state", "reason"],
    ["ready": ["type": "boolean"], "state": state, "reason": reason])

  private static let component = Shape.object(
    "HealthComponent", required: ["name", "state", "reason", "since"],
    [
      "name": ["type": "string", "description": "store, event_log, process:NAME, …"],
      "state": state, "reason": reason, "since": since,
    ])

  fileprivate static let health = Shape.object(
    "Health", required: ["state", "since", "ready", "reason", "components"],
    [
      "state": state, "since": since, "ready": ["type": "boolean"], "reason": reason,
      "components": ["type": "array", "items": component.reference],
    ], uses: [component])
}
