internal import AgentAccess
internal import AgentBots
internal import AgentJSON
internal import AgentHost
internal import AgentStore
internal import AgentTasks
internal import HTTPTypes
internal import Hummingbird

/// The artifacts of tasks.
struct ArtifactRoutes {
  private static let name = APIParameter.path("name", "the file's name")
  private static let body = APIBody.bytes(limit: ArtifactStore.maxBytes)
  /// The media types that a browser shows without running code in them.
  private static let harmless: Set<String> = [
    "image/png", "image/jpeg", "image/gif", "image/webp", "text/plain", "application/json",
  ]

  let host: HostApplication

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "tasks/{id}/artifacts", operation: "list_artifacts",
        summary: "Lists a task's artifacts.",
        tag: .tasks, for: .read, parameters: [TaskRoutes.id],
        replies: [.ok(.list("Artifacts", "artifacts", of: .artifact))], options: .forBots
      ) { [host] call in
        try await TaskRoutes.reply {
          let (id, attempts) = try await TaskRoutes.readable(call, host)
          // A task that isn't there is an error, and not one without files.
          _ = try await host.tasks.task(id)
          let files = try await host.tasks.artifacts(of: id, attempts: attempts)
          return ["artifacts": .array(files.map(\.json))]
        }
      },
      APIRoute(
        .get, "tasks/{id}/artifacts/{name}", operation: "get_artifact",
        summary: "Returns an artifact of a task.",
        tag: .tasks, for: .read, parameters: [TaskRoutes.id, Self.name],
        replies: [
          APIReply(
            status: .ok, content: [("*/*", nil)], summary: "The artifact, in its media type.")
        ], options: [.forBots, .large]
      ) { [host] call in
        try await TaskRoutes.answer {
          let (id, attempts) = try await TaskRoutes.readable(call, host)
          let (about, bytes) = try await host.tasks.artifact(
            call.path("name"), of: id, attempts: attempts)
          return Self.reply(about, bytes)
        }
      },
      APIRoute(
        .put, "tasks/{id}/artifacts/{name}", operation: "put_artifact",
        summary: "Stores a file as an artifact of a task. It replaces one with the same name.",
        tag: .tasks,
        for: .operate, parameters: [TaskRoutes.id, Self.name], body: Self.body,
        replies: [.ok(.artifact)]
      ) { [host] call in
        try await TaskRoutes.reply {
          try await host.tasks.keep(
            call.bytes, as: call.path("name"), mediaType: Self.mediaType(call),
            of: call.number("id")
          ).json
        }
      },
      APIRoute(
        .delete, "tasks/{id}/artifacts/{name}", operation: "delete_artifact",
        summary: "Deletes an artifact of a task.", tag: .tasks, for: .operate,
        parameters: [TaskRoutes.id, Self.name], replies: [.ok(.artifact)]
      ) { [host] call in
        try await TaskRoutes.reply {
          try await host.tasks.removeArtifact(call.path("name"), of: call.number("id")).json
        }
      },
      APIRoute(
        .put, "assignments/{id}/artifacts/{name}", operation: "put_assignment_artifact",
        summary: "Stores a file as an artifact of the task that is assigned to a bot.", tag: .bots,
        for: .execute,
        parameters: [AssignmentRoutes.id, Self.name], body: Self.body, replies: [.ok(.artifact)],
        options: .forBots
      ) { [host] call in
        try await TaskRoutes.reply {
          try await host.bots.keep(
            call.bytes, as: call.path("name"), mediaType: Self.mediaType(call),
            for: call.number("id"), by: call.authority
          ).json
        }
      },
    ]
  }

  /// Returns the media type that the request names. Nil means that it names none.
  private static func mediaType(_ call: APICall) -> String? {
    let header = call.request.headers[.contentType]?.prefix { $0 != ";" }
    guard let header, header.utf8.count <= 100, !header.isEmpty,
      header != "application/octet-stream"
    else { return nil }
    return header.trimmed.lowercased()
  }

  /// Returns an artifact. It may be a page with a script, so browsers must not show it as a page.
  private static func reply(_ about: TaskArtifact, _ bytes: [UInt8]) -> Response {
    let type = harmless.contains(about.mediaType) ? about.mediaType : "application/octet-stream"
    var response = Response(bytes: bytes, as: type)
    response.headers[.contentDisposition] = "attachment"
    response.headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
    return response
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
