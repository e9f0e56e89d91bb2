internal import AgentAccess
internal import AgentJSON
internal import AgentMetrics
internal import AgentHost
internal import HTTPTypes
internal import Hummingbird

/// The host's metrics, for Prometheus and as JSON.
struct MetricsRoutes {
  let host: HostApplication

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "/metrics", operation: "scrape_metrics",
        summary:
          "Returns every metric in Prometheus text format, or in OpenMetrics if Accept names it.",
        tag: .metrics, for: .read,
        replies: [.text([.prometheus, .openMetrics], "One line per series.")]
      ) { [host] call in
        let form = PrometheusText(accepted: call.request.headers[.accept])
        return Response(bytes: form.text(await host.metrics.page()), as: form.contentType)
      },
      APIRoute(
        .get, "metrics", operation: "get_metrics",
        summary: "Lists metrics. Distributions have their 50th, 95th and 99th percentiles.",
        tag: .metrics,
        for: .read,
        parameters: [.query("name", .text, summary: "only metrics whose name contains this")],
        replies: [.ok(.metrics)]
      ) { [host] call in
        Response(await host.metrics.page().json(matching: call.text("name")))
      },
    ]
  }
}

extension Shape {
  private static let number: JSONValue = ["type": ["number", "null"]]

  fileprivate static let metrics = Shape.list("Metrics", "metrics", of: .metric)

  private static let metric = Shape.object(
    "Metric", required: ["name", "type", "help", "series"],
    [
      "name": ["type": "string"], "type": ["enum": ["counter", "gauge", "histogram"]],
      "help": ["type": "string"],
      "series": ["type": "array", "items": series.reference],
    ], uses: [series])

  private static let series = Shape.object(
    "MetricSeries", required: ["labels"],
    [
      "labels": ["type": "object", "additionalProperties": ["type": "string"]],
      "value": number, "count": ["type": "integer"], "sum": number, "p50": number, "p95": number,
      "p99": number,
      "buckets": [
        "type": "array",
        "items": [
          "type": "object", "required": ["le", "count"],
          "properties": ["le": number, "count": ["type": "integer"]],
        ],
      ],
    ])
}
