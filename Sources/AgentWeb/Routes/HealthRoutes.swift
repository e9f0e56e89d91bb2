internal import AgentJSON
internal import AgentAccess
internal import AgentRuntime
internal import Hummingbird

/// Whether the host is alive.
struct HealthRoutes {
  let host: AgentHost

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "health/live", "get_liveness", "Says that the host answers; asks for no token.",
        tag: .diagnostics, for: nil,
        replies: [
          .ok(.object("Alive", required: ["status"], ["status": ["const": "ok"]]))
        ]
      ) { _ in Response(["status": "ok"]) }
    ]
  }
}
