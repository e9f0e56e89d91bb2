import AgentJSON

/// CALL: ask a service of the host.
public struct Call: Sendable, Equatable {
  /// The service with its revision, such as `events/1`.
  public var service: String
  /// What it shall do.
  public var method: String
  /// With what, JSON.
  public var input: [UInt8]

  /// Makes the message.
  public init(service: String, method: String, input: [UInt8]) {
    self.service = service
    self.method = method
    self.input = input
  }

  /// Reads the message from a frame's body.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    // What the service doesn't take, because it is too deep or too long, it refuses itself: that is
    // no reason to end the worker.
    let limits = JSONLimits(maximumDepth: 512, maximumBytes: Frame.maximumDescriptorBody)
    let reader = try BodyReader("CALL", body, limits: limits)
    self.init(
      service: try reader.string("service"), method: try reader.string("method"),
      input: reader.optionalRaw("input") ?? Array("null".utf8))
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    writer.string("service", service)
    writer.string("method", method)
    writer.raw("input", input)
    return writer.finish()
  }
}
