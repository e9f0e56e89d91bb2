/// An error in bytes that violate the protocol.
public struct WorkerProtocolError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The rules of the protocol.
  public enum Code: String, Sendable {
    /// The length before a frame is out of range.
    case frameLength = "frame_length"
    /// A body isn't JSON, or lacks a required member.
    case body
    /// A body in a descriptor is too long, or the descriptor is missing.
    case descriptor
  }

  /// The rule that was broken.
  public let code: Code
  /// A sentence for the person who must act.
  public let message: String
  /// The underlying error, if there is one.
  public let cause: String?

  /// Creates an error.
  public init(code: Code, message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message with its cause.
  public var description: String {
    cause.map { "\(message) (\($0))" } ?? message
  }

  static func frameLength(_ length: Int) -> Self {
    WorkerProtocolError(
      code: .frameLength,
      message: "A frame of \(length) bytes was announced; a frame has "
        + "\(Frame.minimumLength) to \(Frame.maximumLength).")
  }

  static func body(_ name: String, _ message: String) -> Self {
    WorkerProtocolError(code: .body, message: "The body of \(name) \(message).")
  }
}
