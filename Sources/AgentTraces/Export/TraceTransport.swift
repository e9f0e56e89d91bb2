/// Sends requests to a collector.
public protocol TraceTransport: Sendable {
  /// Posts a JSON body and returns the collector's response, whatever its status.
  /// - Throws: any error if the collector can't be reached.
  func post(
    _ body: [UInt8], to address: String, headers: [String: String]
  ) async throws -> TraceReply
}

/// The response of a collector.
public struct TraceReply: Sendable, Hashable {
  /// The HTTP status.
  public var status: Int
  /// The pause that the collector asks for by `Retry-After`. `nil` if it asks for none.
  public var retryAfter: Duration?

  /// Creates a response.
  public init(status: Int, retryAfter: Duration? = nil) {
    self.status = status
    self.retryAfter = retryAfter
  }
}
