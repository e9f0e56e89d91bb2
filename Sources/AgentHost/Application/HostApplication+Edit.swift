internal import AgentDiagnostics
package import AgentJSON
internal import AgentModules
package import AgentProcesses
package import AgentSettings
package import AgentWorkers
internal import Glibc

extension HostApplication {
  /// Edits `settings.json` without disturbing its layout and applies the change at once. Nothing
  /// is written when the result would have errors.
  /// - Parameters:
  ///   - version: the version that the file must have; any when it isn't given.
  ///   - dryRun: only check, and say what would be done.
  /// - Throws: `preconditionFailed` when somebody else has changed the file meanwhile.
  package func edit(
    _ edit: SettingsEdit, of version: String? = nil, dryRun: Bool = false
  ) async throws(HostError) -> ReloadReport {
    try await queued("an edit of the settings") { host in
      let document: JSONDocument
      do {
        // Inside the queue: the version is compared when no other change can come between.
        document = try edit.apply(to: host.folder, of: version)
      } catch let error as Problem {
        let code: HostError.Code =
          switch error.code {
          case "not_found": .notFound
          case "precondition_failed": .preconditionFailed
          case "secret_placeholder": .invalid
          default: .conflict
          }
        throw HostError(code, error.description)
      }
      // The whole file is checked as it would be, before anything is written: an edit that the
      // host couldn't be started with never reaches the disk.
      let result = SettingsFile.check(document, in: host.folder, options: .init(strict: true))
      let settings = try Self.accepted(result)
      // A port that is in trouble already must not hinder edits of other settings.
      if settings.http != host.settings.http, let problem = await host.ports.problem(with: settings)
      {
        throw HostError(
          .invalidSettings, "The API's port couldn't be opened with these settings. \(problem)")
      }
      if dryRun { return try await host.apply(result, dryRun: true) }
      do {
        try host.folder.writeSettings(document)
      } catch let problem as Problem {
        throw HostError(.failed, problem.description)
      }
      return try await host.apply(result, dryRun: false)
    }
  }

  /// `settings.json` as it is, without secrets, and a digest that identifies this version of it.
  package func settingsText() throws(HostError) -> (value: JSONValue, version: String) {
    let result = SettingsFile.load(folder)
    guard let document = result.document, let version = result.version else {
      throw HostError(
        .failed, "The settings can't be read. \(result.problems.first.map { "\($0)" } ?? "")")
    }
    return (RedactedSettings(redactor: result.redactor).value(of: document.root.value), version)
  }

  /// The JSON Schema of this agent's settings, for editors and forms.
  package func settingsSchema() -> JSONValue { SettingsFile.load(folder).composedSchema }
}
