/// Why a call of the store failed.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of obstacle, for programs that decide by it.
  public enum Code: String, Sendable {
    /// The disk, a quota or the file's own limit has no space. Nothing was stored.
    case full
    /// Reading or writing the file failed. What was to be stored may or may not be there. The file
    /// is reopened and checked.
    case fault
    /// The content that was read of the file doesn't fit together.
    case corrupt
    case locked
    case unusable
    /// A newer version wrote the file.
    case newer
    case closed
    /// The request isn't possible: a name is empty, a value too large.
    case invalid
    /// A row that was asked for isn't there.
    case missing
    case conflict
    /// Another write of the same group made the group fail. Nothing of this write was stored.
    case group
  }

  /// The kind of obstacle.
  public let code: Code
  /// A sentence for the person who must act.
  public let message: String
  /// The error beneath, in the words of SQLite or the system, where there is one.
  public let cause: String?

  /// Makes an error.
  public init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message, with its cause.
  public var description: String { cause.map { "\(message) (\($0))" } ?? message }
}
