/// Why a module's library can't be used.
public struct ModuleLoadError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of obstacle.
  public enum Code: String, Sendable {
    /// There is no such file, or it can't be read.
    case missing
    /// The file is no shared library.
    case format
    /// It was built for another processor.
    case architecture
    /// It doesn't export `agent_module_v1`.
    case symbol
    /// It was built by another Swift toolchain than this program.
    case toolchain
    /// The dynamic loader refused it: a library or a symbol that it needs is missing.
    case link
    /// It speaks another version of the module interface.
    case abi
    /// Its description of itself can't be used.
    case descriptor
    /// A declared function can't be called.
    case function
  }

  /// The kind of obstacle.
  public let code: Code
  /// A sentence for the person who must act.
  public let message: String
  /// What lies beneath, where something does.
  public let cause: String?

  init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message, with its cause.
  public var description: String {
    cause.map { "\(message) (\($0))" } ?? message
  }
}
