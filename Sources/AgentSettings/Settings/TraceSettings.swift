/// `traces`: where traces are sent, and how many.
public struct TraceSettings: Sendable, Hashable {
  /// The collector's address, without `/v1/traces`.
  public var endpoint: String
  /// The share of the traces that begin here that is recorded, 0…1.
  public var sample = 1.0
  /// Header fields that are sent along.
  public var headers: [String: String] = [:]
  /// The service name of the agent in traces.
  public var serviceName: String

  /// Traces of a service to a collector.
  public init(endpoint: String, serviceName: String) {
    self.endpoint = endpoint
    self.serviceName = serviceName
  }
}
