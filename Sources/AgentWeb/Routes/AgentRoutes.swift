internal import AgentAccess
internal import AgentChat
internal import AgentHost
internal import AgentJSON
internal import AgentProcesses
internal import AgentSystem
internal import HTTPTypes
internal import Hummingbird

/// Routes of the agent as a whole.
struct AgentRoutes {
  let host: HostApplication

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "status", operation: "get_status",
        summary: "Returns the state of the host and its processes.",
        tag: .agent, for: .read,
        replies: [.ok(.status)]
      ) { [host] _ in Response(await host.status().json) },
      APIRoute(
        .get, "features", operation: "get_features",
        summary: "Lists the features that the settings make available, and those that are missing.",
        tag: .agent, for: .read,
        replies: [.ok(.anyObject)]
      ) { [host] _ in Response(try await host.features()) },
      APIRoute(
        .post, "stop", operation: "stop_agent",
        summary: "Stops the host. The response comes before the host stops.",
        tag: .agent,
        for: .administer,
        replies: [
          .json(
            .accepted, .object("Stopping", required: ["stopping"], ["stopping": ["const": true]]))
        ]
      ) { [host] _ in
        host.lifecycle.requestStop()
        return Response(["stopping": true], status: .accepted)
      },
      APIRoute(
        .post, "reload", operation: "reload", summary: "Applies changed settings and modules.",
        tag: .agent,
        for: .operate,
        parameters: [.query("dry_run", .flag, summary: "report the changes without making them")],
        replies: [.ok(.changes)]
      ) { [host] call in
        Response(try await host.reload(dryRun: call.flag("dry_run")).json)
      },
      backup, compact, ask,
    ]
  }

  private var backup: APIRoute {
    APIRoute(
      .post, "backup", operation: "backup",
      summary: "Copies the database to a new file. The file must not exist yet.",
      tag: .agent, for: .administer,
      body: .json(
        .object(
          "Backup", as: "a backup", required: ["file"],
          [
            "file": [
              "type": "string", "pattern": "^/",
              "errorMessage": ["pattern": "a backup needs a \"file\": an absolute path."],
            ]
          ])),
      replies: [
        .json(.created, .object("BackupDone", required: ["file"], ["file": ["type": "string"]]))
      ], options: .slow
    ) { [host] call in
      let file = call.body["file"]?.string ?? ""
      try await host.database.backup(to: file)
      return Response(["file": .string(file)], status: .created)
    }
  }

  private var compact: APIRoute {
    APIRoute(
      .post, "store/compact", operation: "compact_store",
      summary: "Returns the database's unused space to the file system.",
      tag: .agent, for: .administer,
      replies: [
        .ok(
          .object(
            "Compacted", required: ["released_bytes"],
            ["released_bytes": ["type": "integer", "minimum": 0]]))
      ], options: .slow
    ) { [host] _ in
      Response(["released_bytes": JSONValue(try await host.database.compact())])
    }
  }

  private var ask: APIRoute {
    APIRoute(
      .post, "chat/messages", operation: "ask",
      summary: "Asks the agent's logic adapters a question.", tag: .chat,
      for: .execute, body: .json(.message), replies: [.ok(.answer)], options: [.unaudited, .slow]
    ) { [host] call in
      let body = call.body
      let statement = ChatStatement(
        text: body["text"]?.string ?? "", author: body["author"]?.string,
        room: body["room"]?.string, timestamp: Timestamp.now())
      return Response(try await host.processes.ask(statement).json)
    }
  }
}
