internal import AgentModules

/// Runs a compiler and reports its output unchanged.
struct Compiler {
  let program: String

  /// Runs the compiler.
  /// - Parameter what: the name of the compiled thing, for messages.
  /// - Returns: the compiler's output.
  /// - Throws: `BuildError` with `compilerFailed`, or with `compilerMissing` if the program can't
  ///   be started.
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
