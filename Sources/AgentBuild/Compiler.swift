internal import AgentModules

/// Runs a compiler and takes its word as it is.
struct Compiler {
  let program: String

  /// Runs it; returns what it said. `what` names the thing that is compiled.
  @discardableResult
  func run(_ arguments: [String], what: String) throws(BuildError) -> String {
    let command = Command(program: program, arguments: arguments)
    guard let outcome = command.run() else {
      throw BuildError(.compilerMissing, "\(program) could not be started.")
    }
    guard outcome.status == 0 else {
      let end = outcome.status > 128 ? " (signal \(outcome.status - 128))" : ""
      let name = FileSystem.lastName(program)
      throw BuildError(
        .compilerFailed, "\(name) could not compile \(what)\(end).", diagnostics: outcome.output)
    }
    return outcome.output
  }
}
