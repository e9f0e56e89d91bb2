public import ArgumentParser
internal import Glibc
public import Scaffolding

/// `create-agent`: writes a new agent.
@main
struct CreateAgent: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create-agent",
    abstract: "Write a new agent: a folder with settings that run at once.",
    discussion: """
      The sample module is enabled: it follows a log file, warns when errors come too fast, and \
      answers how many there were. Nothing that is there is overwritten.

      Example: create-agent my-agent
      """)

  @Argument(help: "The agent's folder; asked for when it is left out.")
  var name: String?

  @Flag(help: "Leave the sample module out.")
  var empty = false

  @Option(help: "The sample module's language: swift, c or python.")
  var language: ModuleLanguage = .swift

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let error as ScaffoldError {
      ProgramEnd(error).leave()
    } catch {
      ProgramEnd(
        parserMessage: fullMessage(for: error), parserCode: exitCode(for: error).rawValue
      ).leave()
    }
  }

  func run() throws {
    let name = try name ?? Self.askedName()
    let report = try NewAgent(Installation()).create(
      name, from: ".", language: language, isEmpty: empty)
    Self.show(report)
    if !report.isValid { throw ExitCode(1) }
  }

  private static func askedName() throws -> String {
    guard isatty(0) == 1 else {
      throw ValidationError("Say how the agent is to be called: create-agent NAME")
    }
    print("Name of the agent: ", terminator: "")
    fflush(nil)
    return (readLine() ?? "").split(whereSeparator: \.isWhitespace).joined(separator: "-")
  }

  private static func show(_ report: NewAgent.Report) {
    print("Wrote \(report.folder):")
    for file in report.files { print("  \(file)") }
    for problem in report.problems { print(problem) }
    if report.problems.isEmpty { print("\nThe settings are valid.") }
    print("\nNext:\n  \(report.next)")
  }
}

extension ModuleLanguage: ExpressibleByArgument {}
