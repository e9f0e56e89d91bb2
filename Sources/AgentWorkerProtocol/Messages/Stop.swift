/// STOP: ends the worker within the deadline.
public struct Stop: Sendable, Equatable {
  /// The number of milliseconds until the host kills the worker.
  public var deadlineMilliseconds: Int

  /// Creates the message.
  public init(deadlineMilliseconds: Int) {
    self.deadlineMilliseconds = deadlineMilliseconds
  }

  /// Reads the message from a frame's body.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    deadlineMilliseconds = try BodyReader("STOP", body).int("deadline_ms")
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    writer.int("deadline_ms", deadlineMilliseconds)
    return writer.finish()
  }
}
