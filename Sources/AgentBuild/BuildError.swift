public import AgentModules

/// The reason why a module couldn't be built.
public struct BuildError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: String, Sendable {
    /// The manifest has errors; see ``BuildError/problems``.
    case manifest
    /// The module has no sources for a library.
    case noSources = "no_sources"
    /// A compiler isn't installed.
    case compilerMissing = "compiler_missing"
    /// The compiler rejected the sources; see ``BuildError/diagnostics``.
    case compilerFailed = "compiler_failed"
    /// The compiler took too long and was ended.
    case compilerLate = "compiler_late"
    /// The SDK's sources weren't found.
    case sdkMissing = "sdk_missing"
    /// A file couldn't be written.
    case cannotWrite = "cannot_write"
  }

  /// The kind of failure.
  public let code: Code
  /// A sentence for the person who must act.
  public let message: String
  /// The output of the compiler, unchanged.
  public let diagnostics: String
  /// The problems of the manifest.
  public let problems: [Problem]

  init(_ code: Code, _ message: String, diagnostics: String = "", problems: [Problem] = []) {
    self.code = code
    self.message = message
    self.diagnostics = diagnostics
    self.problems = problems
  }

  /// The problems of the manifest, the compiler's output, and the message.
  public var description: String {
    let lines = problems.map(\.description) + [diagnostics].filter { !$0.isEmpty }
    return (lines + [message]).joined(separator: "\n")
  }
}
