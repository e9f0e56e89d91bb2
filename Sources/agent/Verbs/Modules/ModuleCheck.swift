internal import AgentWorkers
internal import AgentJSON
internal import AgentHost
internal import ArgumentParser
internal import ModuleContractCheck

extension Module {
  /// Checks one module against its contract.
  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Run a module as a host would, and check that it meets its contract.",
      discussion: """
        Needs no running agent. Starts the module's workers in their sandbox, with settings and \
        inputs generated from its manifest. Actions and notifiers really run with them. This is \
        the conformance test of the worker protocol (docs/protocol.md), for modules in any \
        language. Exit codes: 0 nothing failed, 1 something did.

        Example: agent module check system
        """)

    @OptionGroup var common: CommonOptions

    @Argument(help: "The module, by name or path.")
    var name: String

    func run() async throws {
      let directory = try ModuleFolder.find(name, in: try common.folder())
      let isForPrograms = common.json
      let report: CheckReport
      do {
        report = try await ModuleContractCheck.ModuleCheck(directory: directory).run { finding in
          if !isForPrograms { Terminal.print(Self.line(finding)) }
        }
      } catch {
        throw Failure(error.message)
      }
      common.show(report.json) { _ in Self.summary(report) }
      if !report.isPassed { throw Failure.alreadySaid }
    }

    private static func line(_ finding: CheckFinding) -> String {
      switch finding.outcome {
      case .ok: finding.line
      case .failed: Terminal.styled(finding.line, .bad)
      case .skipped: Terminal.styled(finding.line, .quiet)
      }
    }

    private static func summary(_ report: CheckReport) -> String {
      let counts =
        "\(report.count(.ok)) ok, \(report.count(.failed)) failed, "
        + "\(report.count(.skipped)) skipped"
      return "\(report.module) \(report.isPassed ? "passes" : "doesn't pass"): \(counts)."
    }
  }
}
