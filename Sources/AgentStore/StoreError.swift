/// Why the store didn't do what it was asked.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of obstacle it is.
  public enum Code: String, Sendable {
    /// There is no room for it: the disk, a quota, or the file's own limit. Nothing was stored.
    case full
    /// Reading or writing the file failed. What was to be stored may or may not be there; the file
    /// is reopened and checked.
    case fault
    /// The file is damaged.
    case corrupt
    /// Another host has the file open.
    case locked
    /// The file can't be opened.
    case unusable
    /// The file was written by a newer version.
    case newer
    /// The store was closed.
    case closed
    /// What was asked isn't possible: a name is empty, a value too large.
    case invalid
    /// What was asked for isn't there.
    case missing
    /// A value isn't what the caller expected it to be.
    case conflict
    /// Another write of the same group made the group fail; nothing of this one was stored.
    case group
  }

  /// What kind of obstacle it is.
  public let code: Code
  /// A sentence for the person who must act.
  public let message: String
  /// What lies beneath, where something does.
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
