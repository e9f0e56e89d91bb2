public import AgentModules

/// Why a module could not be built.
public struct BuildError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: String, Sendable {
    /// The manifest has errors; see ``BuildError/problems``.
    case manifest
    /// There are no sources to make the library from.
    case noSources = "no_sources"
    /// A compiler is not installed.
    case compilerMissing = "compiler_missing"
    /// The compiler refused the sources; see ``BuildError/diagnostics``.
    case compilerFailed = "compiler_failed"
    /// The SDK's sources were not found.
    case sdkMissing = "sdk_missing"
    /// A file could not be written.
    case cannotWrite = "cannot_write"
  }

  /// The kind of failure.
  public let code: Code
  /// A sentence for the person who must act.
  public let message: String
  /// What the compiler said, as it said it.
  public let diagnostics: String
  /// What is wrong with the manifest.
  public let problems: [Problem]

  init(_ code: Code, _ message: String, diagnostics: String = "", problems: [Problem] = []) {
    self.code = code
    self.message = message
    self.diagnostics = diagnostics
    self.problems = problems
  }

  /// What the compiler or the manifest's reader said, and the message.
  public var description: String {
    let lines = problems.map(\.description) + [diagnostics].filter { !$0.isEmpty }
    return (lines + [message]).joined(separator: "\n")
  }
}
