/// The two text forms that Prometheus reads.
public enum PrometheusText: Sendable {
  /// https://prometheus.io/docs/instrumenting/exposition_formats, text format 0.0.4
  case plain
  /// https://prometheus.io/docs/specs/om/open_metrics_spec, version 1.0.0
  case openMetrics

  /// Chooses the form for an `Accept` field: OpenMetrics if the field names it, the plain form
  /// otherwise.
  public init(accepted: String?) {
    self = accepted?.contains("application/openmetrics-text") == true ? .openMetrics : .plain
  }

  /// The value of the response's `Content-Type`.
  public var contentType: String {
    switch self {
    case .plain: "text/plain; version=0.0.4; charset=utf-8"
    case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
    }
  }

  /// Returns `page` in this form.
  public func text(_ page: MetricsPage) -> [UInt8] {
    var lines = TextLines(form: self)
    for family in page.families { lines.append(family) }
    if self == .openMetrics { lines.append("# EOF\n") }
    return lines.bytes
  }
}
