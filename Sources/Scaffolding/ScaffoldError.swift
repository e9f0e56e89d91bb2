/// The reason why scaffolding wrote nothing.
public struct ScaffoldError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: String, Sendable {
    /// The name breaks the rule for names of agents or modules.
    case invalidName = "invalid_name"
    /// A file or folder with this name exists. It wasn't changed.
    case exists
    /// There is no agent's folder at this place.
    case noAgent = "no_agent"
    /// The templates or the SDK weren't found.
    case notInstalled = "not_installed"
    /// A file couldn't be read or written.
    case cannotWrite = "cannot_write"
    /// The settings couldn't be changed.
    case settings
    /// The password is missing or unusable.
    case noPassword = "no_password"
  }

  /// The kind of failure.
  public let code: Code
  /// A sentence for the person who must act.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The same as ``message``.
  public var description: String { message }
}
