/// INVOKE: calls a contribution.
public struct Invoke: Sendable, Equatable {
  /// The contribution.
  public var contribution: ContributionName
  /// The input, as JSON.
  public var input: [UInt8]
  /// The deadline of the answer, in Unix milliseconds. 0 means none.
  public var deadline: Int64
  /// The trace context of the call (W3C Trace Context). `nil` if it has none.
  public var traceparent: String?
  /// The `tracestate` of that trace, with the entries of other tracing systems.
  public var tracestate: String?

  /// Creates the message.
  public init(
    contribution: ContributionName, input: [UInt8], deadline: Int64 = 0, traceparent: String? = nil,
    tracestate: String? = nil
  ) {
    self.contribution = contribution
    self.input = input
    self.deadline = deadline
    self.traceparent = traceparent
    self.tracestate = tracestate
  }

  /// Reads the message from a frame's body.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    let reader = try BodyReader("INVOKE", body)
    self.init(
      contribution: try ContributionName(reader), input: try reader.raw("input"),
      deadline: Int64(try reader.optionalInt("deadline") ?? 0),
      traceparent: try reader.optionalString("traceparent"),
      tracestate: try reader.optionalString("tracestate"))
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    contribution.write(to: &writer)
    writer.raw("input", input)
    writer.int("deadline", Int(deadline))
    writer.string("traceparent", traceparent)
    writer.string("tracestate", tracestate)
    return writer.finish()
  }
}
