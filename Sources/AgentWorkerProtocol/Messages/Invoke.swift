/// INVOKE: one call of a contribution.
public struct Invoke: Sendable, Equatable {
  /// Which contribution.
  public var contribution: ContributionName
  /// The call's input, JSON.
  public var input: [UInt8]
  /// Unix milliseconds by which the answer is wanted; 0 for none.
  public var deadline: Int64
  /// The trace that the call belongs to, as W3C Trace Context writes it; nil for none.
  public var traceparent: String?
  /// The `tracestate` of that trace (W3C Trace Context), with the data of other vendors.
  public var tracestate: String?

  /// Makes the message.
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
