internal import AgentAccess
internal import AgentJSON
internal import AgentHost
internal import AgentProcesses
internal import AgentSettings
internal import HTTPTypes
internal import Hummingbird

/// Routes of `settings.json`. It is read without secrets, and changed by a merge patch that keeps
/// its layout.
struct SettingsRoutes {
  let host: HostApplication

  private static let patch = Shape(
    "SettingsPatch", phrase: "a merge patch (RFC 7396) of the settings", schema: ["type": "object"])

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "settings", operation: "get_settings",
        summary: "Returns the settings file without secrets. The ETag is its version.",
        tag: .settings,
        for: .read,
        replies: [.ok(.anyObject)]
      ) { [host] _ in
        let (value, version) = try await host.settingsText()
        var response = Response(value)
        response.headers[.eTag] = "\"\(version)\""
        return response
      },
      APIRoute(
        .get, "settings/schema", operation: "get_settings_schema",
        summary: "Returns the JSON Schema of this agent's settings, including its modules.",
        tag: .settings,
        for: .read, replies: [.ok(.anyObject)]
      ) { [host] _ in Response(try await host.settingsSchema()) },
      APIRoute(
        .patch, "settings", operation: "change_settings",
        summary:
          "Applies a merge patch to the settings file and to the host; with If-Match only if "
          + "nobody else changed it. Nothing is written if the result is invalid.",
        tag: .settings, for: .administer,
        parameters: [.query("dry_run", .flag, summary: "report the changes without making them")],
        body: .json(Self.patch), replies: [.ok(.changes)], target: PatchKeys.text
      ) { [host] call in
        let version = call.request.headers[.ifMatch].map { $0.filter { $0 != "\"" } }
        return Response(
          try await host.edit(
            .merge(call.body.object ?? [:]), of: version == "*" ? nil : version,
            dryRun: call.flag("dry_run")
          ).json)
      },
    ]
  }
}
