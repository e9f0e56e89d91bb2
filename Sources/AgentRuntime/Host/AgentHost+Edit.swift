public import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import Glibc

extension AgentHost {
  /// Edits `settings.json` without disturbing its layout and applies the change at once. Nothing
  /// is written when the result would have errors.
  /// - Parameters:
  ///   - version: the version that the file must have; any when it isn't given.
  ///   - dryRun: only check, and say what would be done.
  /// - Throws: `preconditionFailed` when somebody else has changed the file meanwhile.
  public func edit(
    _ edit: SettingsEdit, of version: String? = nil, dryRun: Bool = false
  ) async throws(HostError) -> ReloadReport {
    try await queued { host in
      if let version, try host.settingsText().version != version {
        throw HostError(
          .preconditionFailed,
          "The settings were changed meanwhile. Read them again, and repeat the change.")
      }
      let document: JSONDocument
      do {
        document = try edit.apply(to: host.folder)
      } catch let error as Problem {
        throw HostError(error.code == "not_found" ? .notFound : .conflict, error.description)
      }
      let result = SettingsFile.check(document, in: host.folder, options: .init(strict: true))
      _ = try Self.accepted(result)
      if dryRun { return try await host.apply(result, dryRun: true) }
      do {
        try host.folder.writeSettings(document)
      } catch let problem as Problem {
        throw HostError(.failed, problem.description)
      }
      return try await host.apply(result, dryRun: false)
    }
  }

  /// `settings.json` as it is, without secrets, and what tells this version of it from others.
  public func settingsText() throws(HostError) -> (value: JSONValue, version: String) {
    let result = SettingsFile.load(folder)
    guard let document = result.document else {
      throw HostError(
        .failed, "The settings can't be read. \(result.problems.first.map { "\($0)" } ?? "")")
    }
    // FNV-1a, as http://www.isthe.com/chongo/tech/comp/fnv/ gives it for 64 bits.
    let hash = document.bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    let value = Self.redacted(document.root.value, by: result.redactor)
    return (value, String(hash, radix: 16))
  }

  private static func redacted(_ value: JSONValue, by redactor: Redactor) -> JSONValue {
    switch value {
    case .string(let text): .string(redactor.redact(text))
    case .array(let values): .array(values.map { redacted($0, by: redactor) })
    case .object(let members):
      .object(
        members.reduce(into: JSONObject()) { object, member in
          object[member.key] = redacted(member.value, by: redactor)
        })
    default: value
    }
  }

  /// The JSON Schema of this agent's settings, for editors and forms.
  public func settingsSchema() -> JSONValue { SettingsFile.load(folder).composedSchema }
}
