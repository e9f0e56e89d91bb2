internal import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import ArgumentParser

/// Checks the settings. Runs nothing.
struct Validate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check the settings and report every problem with its location.",
    discussion: """
      Reads settings.json, .env and the manifests of the enabled modules; never runs a module. \
      Exit codes: 0 the agent can run, 1 it can't.

      Example: agent validate --settings settings.json
      """)

  @OptionGroup var common: CommonOptions

  @Flag(help: "Report an unset variable as an error, as \"agent run\" does.")
  var strict = false

  func run() throws {
    let result = SettingsFile.load(
      path: common.settings, options: SettingsFile.Options(strict: strict))
    let errors = result.problems.count { $0.severity == .error }
    let warnings = result.problems.count - errors
    if common.json {
      let value: JSONValue = [
        "valid": .bool(errors == 0), "problems": .array(result.problems.map(\.json)),
      ]
      Terminal.json(value, pretty: true)
    } else {
      for line in ProblemDigest(result.problems).lines { Terminal.print(Terminal.line(line)) }
      Terminal.print(summary(result, errors: errors, warnings: warnings))
    }
    if errors > 0 { throw Failure.alreadySaid }
  }

  private func summary(_ result: SettingsResult, errors: Int, warnings: Int) -> String {
    func count(_ number: Int, _ word: String, plural: String? = nil) -> String {
      "\(number) \(number == 1 ? word : plural ?? word + "s")"
    }
    let file = result.settings?.folder.settingsName ?? common.settings ?? "settings.json"
    if errors > 0 {
      return "\(file): \(count(errors, "error")), \(count(warnings, "warning"))."
    }
    let processes = result.settings?.processes.count { $0.enabled } ?? 0
    let modules = result.settings?.modules.count ?? 0
    let extra = warnings > 0 ? ", \(count(warnings, "warning"))" : ""
    return "\(file) is valid: \(count(modules, "module")), "
      + "\(count(processes, "enabled process", plural: "enabled processes"))\(extra)."
  }
}
