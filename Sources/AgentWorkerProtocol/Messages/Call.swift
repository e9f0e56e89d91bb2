import AgentJSON

/// CALL: calls a service of the host.
public struct Call: Sendable, Equatable {
  /// The service with its revision, such as `events/1`.
  public var service: String
  /// The method of the service.
  public var method: String
  /// The input, as JSON.
  public var input: [UInt8]
  /// The trace context of the call (W3C Trace Context). `nil` if it has none.
  public var traceparent: String?

  /// Creates the message.
  public init(service: String, method: String, input: [UInt8], traceparent: String? = nil) {
    self.service = service
    self.method = method
    self.input = input
    self.traceparent = traceparent
  }

  /// Reads the message from a frame's body.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    // The service itself refuses a body that is too deep or too long. The worker need not end for
    // that.
    let limits = JSONLimits(maxDepth: 512, maxBytes: Frame.maxDescriptorBody)
    let reader = try BodyReader("CALL", body, limits: limits)
    self.init(
      service: try reader.string("service"), method: try reader.string("method"),
      input: reader.optionalRaw("input") ?? Array("null".utf8),
      traceparent: try reader.optionalString("traceparent"))
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    writer.string("service", service)
    writer.string("method", method)
    writer.raw("input", input)
    writer.string("traceparent", traceparent)
    return writer.finish()
  }
}
