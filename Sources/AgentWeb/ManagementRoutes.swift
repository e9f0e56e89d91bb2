internal import AgentChat
internal import AgentJSON
internal import AgentRuntime
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore

/// The routes under `/api/v1`, a line each; docs/api.md describes them.
struct ManagementRoutes {
  let host: AgentHost

  func add(to routes: RouterGroup<BasicRequestContext>) {
    let host = host
    routes.get("status") { _, _ in Response(await host.status().json) }
    routes.get("health") { _, _ in Response(["status": "ok"]) }
    routes.get("features") { _, _ in Response(await host.features()) }
    routes.post("stop") { _, _ in
      host.requestStop()
      return Response(["stopping": true], status: .accepted)
    }
    routes.post("reload") { request, _ in
      Response(try await host.reload(dryRun: request.flag("dry_run")).json)
    }
    routes.post("chat/messages") { request, _ in
      Response(try await answer(try await RequestSchema.message.body(of: request)))
    }
    routes.post("backup") { request, _ in
      let file = try await request.json()["file"]?.string ?? ""
      guard file.hasPrefix("/") else {
        throw HostError(.invalid, "A backup needs a \"file\": an absolute path.")
      }
      try await host.backup(to: file)
      return Response(["file": .string(file)], status: .created)
    }
    addProcesses(to: routes)
    addModules(to: routes)
    EventRoutes(host: host).add(to: routes)
    ConsumerRoutes(host: host).add(to: routes)
    LogRoutes(host: host).add(to: routes)
    QueryRoutes(host: host).add(to: routes)
    StateRoutes(host: host).add(to: routes)
  }

  private func addProcesses(to routes: RouterGroup<BasicRequestContext>) {
    let host = host
    routes.get("processes") { _, _ in
      Response(["processes": .array(await host.status().processes.map(\.json))])
    }
    routes.get("processes/:name") { _, context in
      Response(try await host.process(try context.parameter("name")).json)
    }
    routes.post("processes") { request, _ in
      let body = try await RequestSchema.process.body(of: request)
      let name = body["name"]?.string ?? ""
      let type = body["type"]?.string ?? ""
      return Response(try await host.edit(.addProcess(name: name, type: type)).json)
    }
    routes.delete("processes/:name") { _, context in
      let name = try context.parameter("name")
      return Response(try await host.edit(.removeProcess(name: name)).json)
    }
    routes.post("processes/:name/:verb") { _, context in
      let name = try context.parameter("name")
      switch try context.parameter("verb") {
      case "start": try await host.start(name)
      case "stop": try await host.stop(name)
      case "restart": try await host.restart(name)
      case "enable": return Response(try await host.edit(.enableProcess(name: name)).json)
      case "disable": return Response(try await host.edit(.disableProcess(name: name)).json)
      case let verb:
        throw HostError(
          .notFound,
          "A process has no \"\(verb)\"; there are start, stop, restart, enable and disable.")
      }
      return Response(try await host.process(name).json)
    }
  }

  private func addModules(to routes: RouterGroup<BasicRequestContext>) {
    let host = host
    routes.get("modules") { _, _ in Response(await host.modules()) }
    routes.post("modules/:name/:verb") { _, context in
      let name = try context.parameter("name")
      switch try context.parameter("verb") {
      case "enable": return Response(try await host.edit(.enableModule(name: name)).json)
      case "disable": return Response(try await host.edit(.disableModule(name: name)).json)
      case "reload": return Response(try await host.reloadModule(name).json)
      case let verb:
        throw HostError(
          .notFound, "A module has no \"\(verb)\"; there are enable, disable and reload.")
      }
    }
    routes.post("modules/:name/:verb/:contribution") { request, context in
      let output = try await host.invoke(
        module: try context.parameter("name"),
        kind: try context.parameter("verb"),
        contribution: try context.parameter("contribution"),
        input: try await request.json(),
        timeout: try request.integer("timeout_ms").map { .milliseconds($0) })
      return Response(output)
    }
  }

  private func answer(_ body: JSONValue) async throws -> JSONValue {
    let statement = ChatStatement(
      text: body["text"]?.string ?? "", author: body["author"]?.string, room: body["room"]?.string,
      timestamp: Timestamp.now())
    return try await host.ask(statement).json
  }
}
