/// The reason why a time zone can't be used.
public struct TimeZoneError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The name isn't a valid zone name.
    case name
    /// There is no zone with this name.
    case unknown
    /// The zone's file can't be read.
    case unreadable
    /// The zone's file is damaged or isn't a TZif file.
    case damaged
  }

  /// The kind of error.
  public let code: Code
  /// A sentence with the problem and its remedy.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The same as ``message``.
  public var description: String { message }
}
