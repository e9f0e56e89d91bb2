internal import AgentAccess
internal import AgentJSON
internal import AgentHost
internal import HTTPTypes
internal import Hummingbird

/// `settings.json`: read without secrets, changed by a merge patch that keeps its layout.
struct SettingsRoutes {
  let host: HostApplication

  private static let patch = Shape(
    "SettingsPatch", "a merge patch (RFC 7396) of the settings", ["type": "object"])

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "settings", "get_settings",
        "The settings file, secrets left out; its version as ETag.", tag: .settings, for: .read,
        replies: [.ok(.anyObject)]
      ) { [host] _ in
        let (value, version) = try host.settingsText()
        var response = Response(value)
        response.headers[.eTag] = "\"\(version)\""
        return response
      },
      APIRoute(
        .get, "settings/schema", "get_settings_schema",
        "The JSON Schema of this agent's settings, its modules' included.", tag: .settings,
        for: .read, replies: [.ok(.anyObject)]
      ) { [host] _ in Response(host.settingsSchema()) },
      APIRoute(
        .patch, "settings", "change_settings",
        "Changes the settings file by a merge patch, and applies that; with If-Match only if "
          + "nobody else did. Nothing is written when the result would be wrong.",
        tag: .settings, for: .administer,
        parameters: [.query("dry_run", .flag, "only check, and say what would be done")],
        body: .json(Self.patch), replies: [.ok(.changes)]
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
