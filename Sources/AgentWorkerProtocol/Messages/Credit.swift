/// CREDIT: so many more events may be sent on a stream.
public struct Credit: Sendable, Equatable {
  /// How many.
  public var count: Int

  /// Makes the message.
  public init(count: Int) {
    self.count = count
  }

  /// Reads the message from a frame's body.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    count = try BodyReader("CREDIT", body).int("n")
    guard count >= 0 else { throw .body("CREDIT", "grants a negative number of events") }
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    writer.int("n", count)
    return writer.finish()
  }
}
