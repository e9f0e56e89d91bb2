public import ArgumentParser
internal import Glibc
public import Scaffolding

/// `add-agent-module`: writes a new module.
@main
struct AddAgentModule: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-agent-module",
    abstract: "Write a new module into an agent's folder.",
    discussion: """
      Run it in the agent's folder or in its modules/. No existing file is overwritten. \
      Without --empty the module is a working sample: it follows a log file, warns when errors \
      come too fast, and answers how many there were.

      Example: add-agent-module web-logs --language python --enable
      """)

  @Argument(help: "The module's name; without it, a prompt asks.")
  var name: String?

  @Flag(help: "Write a module without contributions.")
  var empty = false

  @Option(help: "swift, c or python.")
  var language: ModuleLanguage = .swift

  @Flag(help: "Also add the module and its example's processes to settings.json.")
  var enable = false

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
    let report = try NewModule(Installation()).create(
      name, from: ".", language: language, isEmpty: empty, enable: enable)
    Self.show(report)
    if !report.isValid { throw ExitCode(1) }
  }

  private static func askedName() throws -> String {
    guard isatty(0) == 1 else {
      throw ValidationError("Give the module's name: add-agent-module NAME")
    }
    ProgramOutput.ask("Name of the module: ")
    return (readLine() ?? "").trimmed
  }

  private static func show(_ report: NewModule.Report) {
    ProgramOutput.print("Wrote modules/\(report.name):")
    for file in report.files { ProgramOutput.print("  \(file)") }
    if report.isEnabled {
      ProgramOutput.print("\nsettings.json now has the module.")
    } else {
      ProgramOutput.print("\nTo use it, add this to settings.json (--enable does it for you):\n")
      ProgramOutput.print(report.entry)
    }
    for problem in report.problems { ProgramOutput.print("\(problem)") }
    if report.problems.isEmpty { ProgramOutput.print("\nThe settings are valid.") }
    ProgramOutput.print("\nNext:\n  cd \(report.agent)\n  \(report.next)")
  }
}

extension ModuleLanguage: ExpressibleByArgument {}

extension String {
  /// Without blanks at the ends.
  fileprivate var trimmed: String {
    let kept = drop { $0.isWhitespace }
    return String(kept.reversed().drop { $0.isWhitespace }.reversed())
  }
}
