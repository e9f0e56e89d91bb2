/// The error of a call of the store.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of errors. Programs decide by them.
  public enum Code: String, Sendable {
    /// The disk, a quota or the file's own limit has no free space. Nothing was stored.
    case full
    /// Reading or writing the file failed. The write may or may not be stored. The file is reopened
    /// and checked.
    case fault
    /// The content of the file is inconsistent.
    case corrupt
    case locked
    case unusable
    /// A newer version wrote the file.
    case newer
    case closed
    /// The request is invalid, for example because of an empty name or a value that is too large.
    case invalid
    /// A requested row doesn't exist.
    case missing
    case conflict
    /// The group failed because of another write in it. Nothing of this write was stored.
    case group
  }

  /// The kind of error.
  public let code: Code
  /// A sentence for the person who must act.
  public let message: String
  /// The underlying error in the words of SQLite or the system, if there is one.
  public let cause: String?

  /// Creates an error.
  public init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Whether there was no room for this write, or for another one of its group. Nothing was stored.
  /// The same call succeeds once there is room.
  package var isLackOfRoom: Bool { code == .full || code == .group }

  /// Whether the write may be stored although it failed. A caller that keeps what it wrote in
  /// memory must read it again.
  package var isDoubtful: Bool { code == .fault }

  /// Whether the same call may succeed later without any change of the file by a person.
  package var mayPass: Bool { isLackOfRoom || isDoubtful }

  /// The message with its cause.
  public var description: String { cause.map { "\(message) (\($0))" } ?? message }
}
