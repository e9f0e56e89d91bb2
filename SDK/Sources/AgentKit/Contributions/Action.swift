/// Executes tasks.
public protocol Action: Contribution {
  /// The input, which the host has checked against the manifest's `input` schema.
  associatedtype Input: Decodable & Sendable
  /// The result, as the manifest's `output` schema describes it.
  associatedtype Output: Encodable & Sendable

  /// Does the work. The task is cancelled when the host cancels the call or its deadline passes.
  /// Several calls may run at the same time.
  func perform(_ input: Input, progress: ActionProgress) async throws -> Output
}

/// Reports an action's progress to its caller.
public struct ActionProgress: Sendable {
  /// The trace that the call belongs to, in the form of W3C Trace Context. Send it with the
  /// requests that you make for this call. Nil when the call isn't traced.
  public let traceparent: String?
  /// The `tracestate` of that trace, with the data of other vendors; nil when there is none.
  public let tracestate: String?
  private let send: @Sendable (JSONValue) -> Void

  /// Makes a progress that passes each report to `send`; for tests.
  public init(
    traceparent: String? = nil, tracestate: String? = nil,
    send: @escaping @Sendable (JSONValue) -> Void
  ) {
    self.traceparent = traceparent
    self.tracestate = tracestate
    self.send = send
  }

  /// Reports a fraction from 0 to 1, and a message about the current step.
  public func report(_ fraction: Double, _ message: String? = nil) {
    var object: JSONObject = ["progress": JSONValue(min(max(fraction, 0), 1))]
    object["message"] = message.map(JSONValue.string)
    send(.object(object))
  }

  /// Sends a part of the result before the rest is done.
  public func partial(_ value: JSONValue) {
    send(value)
  }
}
