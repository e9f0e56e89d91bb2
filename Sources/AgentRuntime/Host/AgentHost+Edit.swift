internal import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import Glibc

extension AgentHost {
  /// Edits `settings.json` without disturbing its layout and applies the change at once. Nothing
  /// is written when the result would have errors.
  public func edit(_ edit: SettingsEdit) async throws(HostError) -> ReloadReport {
    try await queued { host in
      let document: JSONDocument
      do {
        document = try edit.apply(to: host.folder)
      } catch let error as Problem {
        throw HostError(error.code == "not_found" ? .notFound : .conflict, error.description)
      }
      let result = SettingsFile.check(document, in: host.folder, options: .init(strict: true))
      _ = try Self.accepted(result)
      do {
        try host.folder.writeSettings(document)
      } catch let problem as Problem {
        throw HostError(.failed, problem.description)
      }
      return try await host.apply(result, dryRun: false)
    }
  }
}
