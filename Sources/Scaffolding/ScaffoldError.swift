/// Why nothing was written.
public struct ScaffoldError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: String, Sendable {
    /// The name can't be that of an agent or a module.
    case invalidName = "invalid_name"
    /// Something of that name is there already; it was left as it is.
    case exists
    /// This isn't an agent's folder.
    case noAgent = "no_agent"
    /// The templates or the SDK were not found.
    case notInstalled = "not_installed"
    /// A file could not be read or written.
    case cannotWrite = "cannot_write"
    /// The settings could not be changed.
    case settings
    /// There is no password, or none that will do.
    case noPassword = "no_password"
  }

  /// The kind of failure.
  public let code: Code
  /// A sentence for the person who must act.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
