/// STOP: end within the deadline.
public struct Stop: Sendable, Equatable {
  /// Milliseconds until the host ends the worker by force.
  public var deadlineMilliseconds: Int

  /// Makes the message.
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
