internal import AgentDiagnostics
internal import AgentJSON
internal import AgentHost
internal import AgentSettings
internal import ArgumentParser

/// Lists what the settings make available, and what they lack.
struct Features: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "features",
    abstract: "Show what the settings make available, and what is missing.",
    discussion: """
      Lists modules and their contributions, permissions, packages, versions, the kernel's support \
      for the sandbox, and the host's services. Needs no running agent. Exit codes: 0 nothing is \
      missing, 1 something is missing.

      Example: agent features
      """)

  @OptionGroup var common: CommonOptions

  func run() throws {
    let report = FeatureReport(SettingsFile.load(path: common.settings))
    common.show(report.json) { _ in report.text }
    if !report.isComplete { throw Failure.alreadySaid }
  }
}
