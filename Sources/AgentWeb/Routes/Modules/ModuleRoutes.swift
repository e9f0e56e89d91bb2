internal import AgentAccess
internal import AgentHost
internal import AgentJSON
internal import AgentProcesses
internal import AgentSettings
internal import Hummingbird

/// Routes that list, enable, replace and call modules.
struct ModuleRoutes {
  let host: HostApplication

  private static let name = APIParameter.path("name", "the module")
  private static let kinds = [
    "actions", "action", "logic_adapters", "logic_adapter", "notifiers", "notifier", "strategies",
    "strategy",
  ]

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "modules", operation: "list_modules",
        summary: "Lists all modules of the agent, enabled or not.",
        tag: .modules, for: .read, replies: [.ok(.list("Modules", "modules", of: .anyObject))]
      ) { [host] _ in Response(await host.modules()) },
      change("enable", summary: "Enables a module in the settings and applies the change.") {
        [host] name in
        try await host.edit(.enableModule(name: name)).json
      },
      change("disable", summary: "Disables a module in the settings and applies the change.") {
        [host] name in
        try await host.edit(.disableModule(name: name)).json
      },
      change("reload", summary: "Replaces the module's workers.") { [host] name in
        try await host.reloadModule(name).json
      },
      invoke,
    ]
  }

  private func change(
    _ verb: String, summary: String,
    change: @escaping @Sendable (String) async throws -> JSONValue
  ) -> APIRoute {
    APIRoute(
      .post, "modules/{name}/\(verb)", operation: "\(verb)_module", summary: summary, tag: .modules,
      for: verb == "reload" ? .operate : .administer, parameters: [Self.name],
      replies: [.ok(.changes)]
    ) { call in Response(try await change(call.path("name"))) }
  }

  private var invoke: APIRoute {
    APIRoute(
      .post, "modules/{name}/{kind}/{contribution}", operation: "invoke",
      summary: "Calls a module's contribution. The body is its input, the response its output.",
      tag: .modules,
      for: .execute,
      parameters: [
        Self.name, .path("kind", "actions, logic_adapters, notifiers or strategies"),
        .path("contribution", "name of the contribution"),
        .query("timeout_ms", .integer(0...86_400_000), summary: "time limit in milliseconds"),
      ], body: .json(.anything, isOptional: true), replies: [.ok(.anything)],
      options: [.slow, .repeatable]
    ) { [host] call in
      Response(
        try await host.processes.invoke(
          module: call.path("name"), kind: call.path("kind"),
          contribution: call.path("contribution"),
          input: call.document == nil ? [:] : call.body,
          timeout: call.integer("timeout_ms").map { .milliseconds($0) }))
    }
  }
}
