/// Where spans go, and which.
public struct TraceConfiguration: Sendable, Hashable {
  /// The collector, without the path: `http://127.0.0.1:4318`.
  public var endpoint: String
  /// The share of traces that are recorded, 0…1, of those that begin here.
  public var sample: Double
  /// Fields that are sent along, such as `Authorization`.
  public var headers: [String: String]
  /// The host's name in traces.
  public var service: String
  /// The host's version.
  public var version: String

  /// A configuration of these.
  public init(
    endpoint: String, sample: Double = 1, headers: [String: String] = [:], service: String,
    version: String
  ) {
    self.endpoint = endpoint
    self.sample = sample
    self.headers = headers
    self.service = service
    self.version = version
  }

  /// Where spans are posted.
  public var address: String {
    let base = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
    return base.hasSuffix("/v1/traces") ? base : base + "/v1/traces"
  }
}
