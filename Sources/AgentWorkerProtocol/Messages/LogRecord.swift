internal import AgentText

/// LOG: a record for the host's log.
public struct LogRecord: Sendable, Equatable {
  public var level: WireLevel
  /// The message, as plain text.
  public var message: String
  /// The id of the call that the record belongs to, which is the frame's id. 0 for none.
  public var call: UInt32

  /// The largest message in bytes. The rest is cut off.
  public static let maxMessage = 64 << 10

  /// Creates the message.
  public init(level: WireLevel, message: String, call: UInt32 = 0) {
    self.level = level
    self.message = message.cut(toBytes: Self.maxMessage, ending: " … (cut)")
    self.call = call
  }

  /// Reads the message from a frame's body and its id. An unknown level counts as `info`.
  public init(json body: [UInt8], call: UInt32 = 0) throws(WorkerProtocolError) {
    let reader = try BodyReader("LOG", body)
    self.init(
      level: WireLevel(name: try reader.optionalString("level") ?? "") ?? .info,
      message: try reader.string("message"), call: call)
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    writer.string("level", level.name)
    writer.string("message", message)
    return writer.finish()
  }
}
