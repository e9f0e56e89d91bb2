/// How spans reach a collector.
public protocol TraceTransport: Sendable {
  /// Posts JSON and returns how the collector answered. Throws when it can't be reached.
  func post(
    _ body: [UInt8], to address: String, headers: [String: String]
  ) async throws -> TraceReply
}

/// How a collector answered.
public struct TraceReply: Sendable, Hashable {
  /// The status.
  public var status: Int
  /// How long it asks to be left alone.
  public var retryAfter: Duration?

  /// A reply of these.
  public init(status: Int, retryAfter: Duration? = nil) {
    self.status = status
    self.retryAfter = retryAfter
  }
}
