/// `traces`: where traces are sent, and the share that is recorded.
public struct TraceSettings: Sendable, Hashable {
  /// The collector's address without `/v1/traces`.
  public var endpoint: String
  /// The share of the traces beginning here that is recorded, from 0 to 1.
  public var sample = 1.0
  /// Further header fields of each request.
  public var headers: [String: String] = [:]
  public var serviceName: String

  public init(endpoint: String, serviceName: String) {
    self.endpoint = endpoint
    self.serviceName = serviceName
  }
}
