/// LOG: a record for the host's log.
public struct LogRecord: Sendable, Equatable {
  /// How much it matters.
  public var level: WireLevel
  /// Plain text.
  public var message: String

  /// Makes the message.
  public init(level: WireLevel, message: String) {
    self.level = level
    self.message = message
  }

  /// Reads the message from a frame's body. A level that doesn't exist counts as `info`.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    let reader = try BodyReader("LOG", body)
    self.init(
      level: WireLevel(name: try reader.optionalString("level") ?? "") ?? .info,
      message: try reader.string("message"))
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    writer.string("level", level.name)
    writer.string("message", message)
    return writer.finish()
  }
}
