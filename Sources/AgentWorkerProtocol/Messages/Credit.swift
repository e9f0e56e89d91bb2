/// CREDIT: permits `count` more events on a stream.
public struct Credit: Sendable, Equatable {
  public var count: Int
  /// The number of events that a durable consumer has processed since the last CREDIT, oldest
  /// first.
  public var dealtWith: Int

  /// Creates the message.
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
