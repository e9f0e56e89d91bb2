/// PART: a part of a call's result before its end.
public struct Part: Sendable, Equatable {
  /// The number of the part, from 0.
  public var sequence: Int
  /// The part, as JSON.
  public var value: [UInt8]

  /// Creates the message.
  public init(sequence: Int, value: [UInt8]) {
    self.sequence = sequence
    self.value = value
  }

  /// Reads the message from a frame's body.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    let reader = try BodyReader("PART", body)
    self.init(sequence: try reader.int("sequence"), value: try reader.raw("value"))
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    writer.int("sequence", sequence)
    writer.raw("value", value)
    return writer.finish()
  }
}
