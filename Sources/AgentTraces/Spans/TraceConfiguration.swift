/// The collector for the spans, and the share of traces to record.
public struct TraceConfiguration: Sendable, Hashable {
  /// The address of the collector, such as `http://127.0.0.1:4318`, with or without `/v1/traces`.
  public var endpoint: String
  /// The share of traces to record, 0…1. It applies to traces that begin in this host.
  public var sample: Double
  /// Headers of each request, such as `Authorization`.
  public var headers: [String: String]
  /// The name of the host in traces.
  public var service: String
  /// The host's version.
  public var version: String

  /// Creates a configuration.
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

  /// The URL for requests with spans.
  public var address: String {
    let base = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
    return base.hasSuffix("/v1/traces") ? base : base + "/v1/traces"
  }
}
