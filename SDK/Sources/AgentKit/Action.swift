/// Executes tasks.
public protocol Action: Contribution {
  /// What it works on, as the manifest's `input` schema says.
  associatedtype Input: Decodable & Sendable
  /// What it results in, as the manifest's `output` schema says.
  associatedtype Output: Encodable & Sendable

  /// Does the work. Cancelled when the host gives the call up or the deadline passes; many calls
  /// may run at a time.
  func perform(_ input: Input, progress: ActionProgress) async throws -> Output
}

/// Tells whoever waits for an action how far it has come.
public struct ActionProgress: Sendable {
  /// The trace that the call belongs to, as W3C Trace Context writes it: send it along with what you
  /// ask of others for this call. Nil when the call isn't traced.
  public let traceparent: String?
  /// What other vendors want to be handed on with that trace; nil for nothing.
  public let tracestate: String?
  private let send: @Sendable (JSONValue) -> Void

  /// Makes a progress that hands each report to `send`; for tests.
  public init(
    traceparent: String? = nil, tracestate: String? = nil,
    send: @escaping @Sendable (JSONValue) -> Void
  ) {
    self.traceparent = traceparent
    self.tracestate = tracestate
    self.send = send
  }

  /// Reports a fraction from 0 to 1, and what is being done.
  public func report(_ fraction: Double, _ message: String? = nil) {
    var object: JSONObject = ["progress": JSONValue(min(max(fraction, 0), 1))]
    object["message"] = message.map(JSONValue.string)
    send(.object(object))
  }

  /// Hands over a part of the result before the rest is done.
  public func partial(_ value: JSONValue) {
    send(value)
  }
}
