/// Why a time zone can't be had.
public struct TimeZoneError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of reason.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The name can't be that of a zone.
    case name
    /// There is no zone of that name.
    case unknown
    /// Its file can't be read.
    case unreadable
    /// Its file isn't a TZif file, or is damaged.
    case damaged
  }

  /// The kind of reason.
  public let code: Code
  /// A sentence: what was wrong and what to do.
  public let message: String

  /// An error with its sentence.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The sentence.
  public var description: String { message }
}
