package import AgentJSON
package import AgentModules
package import AgentSettings
internal import AgentSystem
internal import AgentWorkers

/// Finds out what is wrong with an agent and what to do about it, whether it runs or not.
///
/// It reads and asks, and changes nothing. Each extension has the checks of one subject, a
/// check a function.
package struct Doctor: Sendable {
  /// The state of the host, as far as the caller knows it.
  package enum Host: Sendable {
    /// None holds the folder's lock.
    case stopped
    /// It runs and has told its diagnostics, with the check of the database.
    case running(pid: Int32, JSONValue)
    /// It holds the lock, and doesn't answer.
    case silent(pid: Int32?, why: String)
  }

  let folder: AgentFolder
  let host: Host
  let settings: SettingsResult
  let now: @Sendable () -> Int64
  let needsBuild: @Sendable (Manifest) -> Bool

  /// - Parameters:
  ///   - now: the machine's clock, in Unix milliseconds.
  ///   - needsBuild: whether a module's library is missing or older than what it is made from.
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

  /// Everything that was looked at, in an order in which it makes sense to repair it.
  package func findings() async -> [DoctorFinding] {
    var findings = installation() + settingsFindings() + modules() + privacy() + hostFindings()
    findings += disk() + (await database()) + kernel() + limits() + ports() + entrance() + clock()
    findings += processes() + (await eventLog()) + logFiles() + moduleHealth()
    return findings.map { finding in
      var finding = finding
      // Sentences quote messages of modules and libraries.
      finding.sentence = settings.redactor.redact(finding.sentence)
      return finding
    }
  }

  /// The diagnostics of the running host; nil when none runs or answers.
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
