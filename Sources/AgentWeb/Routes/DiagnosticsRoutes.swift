internal import AgentAccess
internal import AgentDiagnostics
internal import AgentJSON
internal import AgentHost
internal import HTTPTypes
internal import Hummingbird

/// `get_diagnostics`, and a file with all diagnostics for a supporter.
struct DiagnosticsRoutes {
  let host: HostApplication

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "diagnostics", operation: "get_diagnostics",
        summary: "Returns diagnostics of the host, its parts and its machine, without secrets.",
        tag: .diagnostics, for: .operate,
        parameters: [.query("integrity", .flag, summary: "also check the whole database")],
        replies: [.ok(.diagnostics)], options: .slow
      ) { [host] call in
        Response(await host.diagnostics(checking: call.flag("integrity")))
      },
      APIRoute(
        .post, "diagnostics/bundle", operation: "make_support_bundle",
        summary:
          "Returns a .tar.gz with diagnostics, settings, recent logs and crash reports, without "
          + "secrets.", tag: .diagnostics, for: .operate,
        replies: [
          APIReply(
            status: .ok, content: [(SupportBundle.contentType, nil)], summary: "The file.")
        ], options: .slow
      ) { [host] _ in
        let bundle = try await host.bundle()
        var response = Response(bytes: bundle.bytes, as: SupportBundle.contentType)
        response.headers[.contentDisposition] = "attachment; filename=\"agent-bundle.tar.gz\""
        return response
      },
    ]
  }
}

extension Shape {
  fileprivate static let diagnostics = Shape.object(
    "Diagnostics", required: ["running", "versions", "kernel", "machine", "health", "store"],
    [
      "running": ["type": "boolean"], "agent": ["type": "string"], "folder": ["type": "string"],
      "taken_at": ["type": "integer"], "versions": ["type": "object"],
      "kernel": ["type": "object"], "machine": ["type": "object"], "limits": ["type": "object"],
      "health": ["type": "object"], "store": ["type": ["object", "null"]],
      "processes": ["type": "array", "items": ["type": "object"]],
      "queries": ["type": "object"], "queues": ["type": "object"], "log": ["type": "object"],
    ], open: true)
}
