package import AgentJSON
package import AgentModules
package import AgentSettings
internal import AgentSystem
internal import AgentWorkers

/// Finds the problems of an agent and their remedies, whether it runs or not.
///
/// It only reads and changes nothing. Each extension contains the checks of one subject, one
/// function for each check.
package struct Doctor: Sendable {
  /// The state of the host, as the caller knows it.
  package enum Host: Sendable {
    /// No host holds the folder's lock.
    case stopped
    /// A host runs and has sent its diagnostics, with the check of the database.
    case running(pid: Int32, JSONValue)
    /// A host holds the lock but doesn't answer.
    case silent(pid: Int32?, why: String)
  }

  let folder: AgentFolder
  let host: Host
  let settings: SettingsResult
  let now: @Sendable () -> Int64
  let needsBuild: @Sendable (Manifest) -> Bool

  /// - Parameters:
  ///   - now: the machine's time, in Unix milliseconds.
  ///   - needsBuild: returns whether a module's library is missing or older than its sources.
  package init(
    _ folder: AgentFolder, host: Host, now: @escaping @Sendable () -> Int64 = { Timestamp.now() },
    needsBuild: @escaping @Sendable (Manifest) -> Bool
  ) {
    self.now = now
    self.folder = folder
    self.host = host
    self.needsBuild = needsBuild
    settings = SettingsFile.load(folder, options: .init(strict: true))
  }

  /// Returns the findings of all checks, in the order in which a person should repair them.
  package func findings() async -> [DoctorFinding] {
    var findings = installation() + settingsFindings() + modules() + privacy() + hostFindings()
    findings += disk() + (await database()) + kernel() + limits() + ports() + entrance() + clock()
    findings += processes() + (await eventLog()) + logFiles() + moduleHealth()
    return findings.map { finding in
      var finding = finding
      // Sentences quote messages of modules and libraries, which may contain secrets.
      finding.sentence = settings.redactor.redact(finding.sentence)
      return finding
    }
  }

  /// The diagnostics of the running host. `nil` if no host runs or answers.
  var diagnostics: JSONValue? {
    if case .running(_, let diagnostics) = host { diagnostics } else { nil }
  }

  private func installation() -> [DoctorFinding] {
    do {
      _ = try WorkerInstallation()
      return [DoctorFinding("installation", .ok, sentence: "The agent's programs are complete.")]
    } catch {
      return [
        DoctorFinding(
          "installation", .problem, sentence: error.message,
          remedy: "Install the agent again: make install.")
      ]
    }
  }

  private func settingsFindings() -> [DoctorFinding] {
    let errors = settings.problems.filter { $0.severity == .error }
    let warnings = settings.problems.filter { $0.severity == .warning }
    if let first = errors.first {
      let more = errors.count > 1 ? " There are \(errors.count - 1) more errors." : ""
      return [
        DoctorFinding(
          "settings", .problem, sentence: "\(first.description)\(more)",
          remedy: "\"agent validate --strict\" shows every error with its place.")
      ]
    }
    if let first = warnings.first {
      let more = warnings.count > 1 ? " There are \(warnings.count - 1) more warnings." : ""
      return [
        DoctorFinding(
          "settings", .warning, sentence: "\(first.description)\(more)",
          remedy: "\"agent validate\" shows all of them.")
      ]
    }
    let processes = settings.settings?.processes.count { $0.enabled } ?? 0
    return [
      DoctorFinding(
        "settings", .ok,
        sentence: "\(folder.settingsName) is valid; \(processes) processes are enabled.")
    ]
  }
}
