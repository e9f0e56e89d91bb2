/// CREDIT: `count` more events may be sent on a stream.
public struct Credit: Sendable, Equatable {
  public var count: Int
  /// How many events of a durable consumer have been processed, oldest first, since the last
  /// CREDIT.
  public var dealtWith: Int

  /// Makes the message.
  public init(count: Int, dealtWith: Int = 0) {
    self.count = count
    self.dealtWith = dealtWith
  }

  /// Reads the message from a frame's body.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    let reader = try BodyReader("CREDIT", body)
    count = try reader.int("n")
    dealtWith = try reader.optionalInt("done") ?? 0
    guard count >= 0 else { throw .body("CREDIT", "grants a negative number of events") }
    guard dealtWith >= 0 else { throw .body("CREDIT", "has a negative \"done\"") }
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    writer.int("n", count)
    if dealtWith > 0 { writer.int("done", dealtWith) }
    return writer.finish()
  }
}
