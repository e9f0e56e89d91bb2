/// The reason why a module's library can't be used.
public struct ModuleLoadError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds of failure.
  public enum Code: String, Sendable {
    /// The file doesn't exist or can't be read.
    case missing
    /// The file isn't a shared library.
    case format
    /// The library is built for another processor.
    case architecture
    /// The library doesn't export `agent_module_v1`.
    case symbol
    /// The library was built by another Swift toolchain than this program.
    case toolchain
    /// The dynamic loader refused the library, because a library or a symbol that it needs is
    /// missing.
    case link
    /// The library uses another version of the module interface.
    case abi
    /// The library's descriptor is unusable.
    case descriptor
    /// A declared function can't be called.
    case function
  }

  /// The kind of failure.
  public let code: Code
  /// A sentence for the person who must act.
  public let message: String
  /// The underlying error, if there is one.
  public let cause: String?

  init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message with its cause.
  public var description: String {
    cause.map { "\(message) (\($0))" } ?? message
  }
}
