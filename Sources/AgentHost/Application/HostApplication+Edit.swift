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
      let folder = host.folder
      let document: JSONDocument
      do {
        // Inside the queue: the version is compared when no other change can come between.
        document = try await FileDeadline.run(or: Self.unchanged) {
          Result { try edit.apply(to: folder, of: version) }
        }.get()
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
      let result = try await FileDeadline.run(or: Self.unchanged) {
        SettingsFile.check(document, in: folder, options: .init(strict: true))
      }
      let settings = try Self.accepted(result)
      // A port that is in trouble already must not hinder edits of other settings.
      if settings.http != host.settings.http,
        let problem = try await host.ports.problem(with: settings)
      {
        throw HostError(
          .invalidSettings, "The API's port couldn't be opened with these settings. \(problem)")
      }
      if dryRun { return try await host.apply(result, dryRun: true) }
      do {
        try await FileDeadline.run(
          or: "The settings may be changed in the file, but not in the host"
        ) {
          Result { try folder.writeSettings(document) }
        }.get()
      } catch let problem as Problem {
        throw HostError(.failed, problem.description)
      }
      return try await host.apply(result, dryRun: false)
    }
  }

  /// `settings.json` as it is, without secrets, and a digest that identifies this version of it.
  package func settingsText() async throws(HostError) -> (value: JSONValue, version: String) {
    let result = try await FileDeadline.run(or: Self.unread) { [folder] in
      SettingsFile.load(folder)
    }
    guard let document = result.document, let version = result.version else {
      throw HostError(
        .failed, "The settings can't be read. \(result.problems.first.map { "\($0)" } ?? "")")
    }
    return (RedactedSettings(redactor: result.redactor).value(of: document.root.value), version)
  }

  /// The JSON Schema of this agent's settings, for editors and forms.
  package func settingsSchema() async throws(HostError) -> JSONValue {
    try await FileDeadline.run(or: Self.unread) { [folder] in
      SettingsFile.load(folder).composedSchema
    }
  }

  /// Begins the message of a request that can't read the files.
  static let unread = "The settings can't be read"
}
