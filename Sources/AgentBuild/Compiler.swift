internal import AgentModules

/// Runs a compiler and reports its output unchanged.
struct Compiler {
  let program: String
  /// How long it may run.
  var limit = ModuleBuilder.limit

  /// Runs the compiler.
  /// - Parameter what: the name of the compiled thing, for messages.
  /// - Returns: the compiler's output.
  /// - Throws: `BuildError` with `compilerFailed`, or with `compilerMissing` if the program can't
  ///   be started, or with `compilerLate` if it took too long and was ended.
  @discardableResult
  func run(_ arguments: [String], what: String) throws(BuildError) -> String {
    let command = Command(program: program, arguments: arguments)
    guard let outcome = command.run(within: limit) else {
      throw BuildError(.compilerMissing, "\(program) could not be started.")
    }
    let name = FileSystem.lastName(program)
    if outcome.isLate {
      throw BuildError(
        .compilerLate,
        "\(name) didn't end within \(limit.components.seconds) s and was ended; \(what) isn't "
          + "compiled.", diagnostics: outcome.output)
    }
    guard outcome.status == 0 else {
      let end = outcome.status > 128 ? " (signal \(outcome.status - 128))" : ""
      throw BuildError(
        .compilerFailed, "\(name) could not compile \(what)\(end).", diagnostics: outcome.output)
    }
    return outcome.output
  }
}
