internal import AgentAccess
public import ArgumentParser
internal import Glibc
public import Scaffolding

/// `create-agent`: writes a new agent.
@main
struct CreateAgent: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create-agent",
    abstract: "Write a new agent: a folder with settings that work at once.",
    discussion: """
      The sample module is enabled: it follows a log file, warns when errors come too fast, and \
      answers how many there were. No existing file is overwritten.

      Example: create-agent my-agent
      """)

  @Argument(help: "The agent's folder; without it, a prompt asks.")
  var name: String?

  @Flag(help: "Leave the sample module out.")
  var empty = false

  @Option(help: "The sample module's language: swift, c or python.")
  var language: ModuleLanguage = .swift

  @Option(help: "Create an administrator with this name; a prompt asks for the password.")
  var admin: String?

  @Flag(help: "Read the password of --admin from standard input.")
  var passwordStdin = false

  func validate() throws {
    if passwordStdin, admin == nil {
      throw ValidationError("--password-stdin is for --admin NAME.")
    }
  }

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
      name, from: ".", language: language, isEmpty: empty, administrator: try administrator())
    Self.show(report)
    if !report.isValid { throw ExitCode(1) }
  }

  /// The user and the hash of their password: nothing else of it is written.
  private func administrator() throws -> (name: String, hash: String)? {
    guard let admin else { return nil }
    let password =
      passwordStdin
      ? try PasswordPrompt.piped() : try PasswordPrompt.asked("Password of \(admin): ")
    do {
      return (admin, try PasswordHash.of(password, for: admin))
    } catch {
      throw ScaffoldError(.noPassword, error.message)
    }
  }

  private static func askedName() throws -> String {
    guard isatty(0) == 1 else {
      throw ValidationError("Give the agent's name: create-agent NAME")
    }
    ProgramOutput.ask("Name of the agent: ")
    return (readLine() ?? "").split(whereSeparator: \.isWhitespace).joined(separator: "-")
  }

  private static func show(_ report: NewAgent.Report) {
    ProgramOutput.print("Wrote \(report.folder):")
    for file in report.files { ProgramOutput.print("  \(file)") }
    for problem in report.problems { ProgramOutput.print("\(problem)") }
    if report.problems.isEmpty { ProgramOutput.print("\nThe settings are valid.") }
    ProgramOutput.print("\nNext:\n  \(report.next)")
  }
}

extension ModuleLanguage: ExpressibleByArgument {}
