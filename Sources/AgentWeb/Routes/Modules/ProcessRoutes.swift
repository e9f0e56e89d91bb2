internal import AgentAccess
internal import AgentHost
internal import AgentJSON
internal import AgentProcesses
internal import AgentSettings
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird

/// Routes that list, start, stop, add and remove processes.
struct ProcessRoutes {
  let host: HostApplication

  private static let name = APIParameter.path("name", "the process, or module:NAME")

  var routes: [APIRoute] { looking + acting + editing }

  private var looking: [APIRoute] {
    [
      APIRoute(
        .get, "processes", operation: "list_processes", summary: "Lists all processes.",
        tag: .processes, for: .read,
        replies: [.ok(.processes)]
      ) { [host] _ in
        Response(["processes": .array(await host.processes.reports().map(\.json))])
      },
      APIRoute(
        .get, "processes/{name}", operation: "get_process", summary: "Returns a process.",
        tag: .processes, for: .read,
        parameters: [Self.name], replies: [.ok(.process)]
      ) { [host] call in Response(try await host.processes.report(call.path("name")).json) },
    ]
  }

  /// Routes that don't change the settings.
  private var acting: [APIRoute] {
    func route(
      _ verb: String, summary: String,
      act: @escaping @Sendable (ProcessManager, String) async throws -> Void
    ) -> APIRoute {
      APIRoute(
        .post, "processes/{name}/\(verb)", operation: "\(verb)_process", summary: summary,
        tag: .processes,
        for: .operate, parameters: [Self.name], replies: [.ok(.process)]
      ) { [host] call in
        try await act(host.processes, call.path("name"))
        return Response(try await host.processes.report(call.path("name")).json)
      }
    }
    return [
      route("start", summary: "Starts a process without changing the settings.") {
        try await $0.start($1)
      },
      route("stop", summary: "Stops a process without changing the settings.") {
        try await $0.stop($1)
      },
      route("restart", summary: "Restarts a process.") { try await $0.restart($1) },
    ]
  }

  /// Routes that change the settings and apply the change.
  private var editing: [APIRoute] {
    func route(
      _ verb: String, summary: String, edit: @escaping @Sendable (String) -> SettingsEdit
    ) -> APIRoute {
      APIRoute(
        .post, "processes/{name}/\(verb)", operation: "\(verb)_process", summary: summary,
        tag: .processes,
        for: .administer, parameters: [Self.name], replies: [.ok(.changes)]
      ) { [host] call in Response(try await host.edit(edit(call.path("name"))).json) }
    }
    return [
      route("enable", summary: "Enables a process in the settings and starts it.") {
        .enableProcess(name: $0)
      },
      route("disable", summary: "Disables a process in the settings and stops it.") {
        .disableProcess(name: $0)
      },
      APIRoute(
        .post, "processes", operation: "add_process",
        summary: "Adds a process to the settings and starts it.",
        tag: .processes, for: .administer, body: .json(.newProcess), replies: [.ok(.changes)]
      ) { [host] call in
        let (name, type) = (call.body["name"]?.string ?? "", call.body["type"]?.string ?? "")
        return Response(try await host.edit(.addProcess(name: name, type: type)).json)
      },
      APIRoute(
        .delete, "processes/{name}", operation: "remove_process",
        summary: "Removes a process from the settings.",
        tag: .processes, for: .administer, parameters: [Self.name], replies: [.ok(.changes)]
      ) { [host] call in
        Response(try await host.edit(.removeProcess(name: call.path("name"))).json)
      },
    ]
  }
}
