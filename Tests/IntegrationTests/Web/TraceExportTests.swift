import AgentJSON
import TestSupport
import Testing

/// How spans reach a collector over HTTP, and what becomes of those that it doesn't take.
@Suite struct TraceExportTests {
  private static let headers = [
    "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
  ]

  /// An agent that sends what is traced of one request to a collector that answers so.
  private func with(
    _ answers: [WebhookReceiver.Answer],
    _ body: (AgentUnderTest, WebhookReceiver) async throws -> Void
  ) async throws {
    let collector = try WebhookReceiver(answers)
    try await AgentUnderTest.with { agent in
      var traces = collector.traces
      traces["sample"] = 0
      traces["headers"] = ["Authorization": "Bearer ${secret:COLLECTOR}", "X-Tenant": "ops"]
      try agent.folder.write(".env", "COLLECTOR=c0llector-s3cret\n")
      try agent.settings(modules: [], processes: [:], others: ["traces": .object(traces)])
      try await agent.run()
      _ = try await agent.client.answer("GET", "/api/v1/status", headers: Self.headers)
      try await body(agent, collector)
    }
  }

  /// The value of a counter, once it has reached `least`.
  private func counted(_ name: String, _ least: Double, by agent: AgentUnderTest) async throws {
    _ = try await eventually("\(name) is \(least)", said: { agent.said }) {
      let page = try await agent.client.send("GET", "metrics?name=\(name)").body
      let value = page["metrics"]?[0]?["series"]?[0]?["value"]?.double
      return value == least ? true : nil
    }
  }

  @Test func `spans are posted as JSON with the configured fields`() async throws {
    try await with([]) { agent, collector in
      try await counted("bulkhead_trace_spans_exported_total", 1, by: agent)
      let request = try #require(collector.requests.first)
      #expect(request.path == "/v1/traces")
      #expect(request.headers["content-type"] == "application/json")
      #expect(request.headers["authorization"] == "Bearer c0llector-s3cret")
      #expect(request.headers["x-tenant"] == "ops")
      #expect(collector.spans.map(\.name) == ["GET /api/v1/status"])
    }
  }

  @Test func `a busy collector gets the spans again after its requested pause`() async throws {
    try await with([.status(503, ["Retry-After: 0"]), .status(429, ["Retry-After: 0"])]) {
      agent, collector in
      try await counted("bulkhead_trace_spans_exported_total", 1, by: agent)
      #expect(collector.requests.count == 3)
      #expect(Set(collector.requests.map(\.body)).count == 1)
      try await counted("bulkhead_trace_export_failures_total", 2, by: agent)
    }
  }

  @Test func `spans that a collector refuses are lost and logged`() async throws {
    try await with([.status(400)]) { agent, collector in
      try await agent.record(of: "agent", with: "Spans were lost")
      #expect(
        agent.said.contains("127.0.0.1:\(collector.port)/v1/traces: it responded with status 400."))
      try await counted("bulkhead_trace_spans_dropped_total", 1, by: agent)
    }
  }

  @Test func `a redirect isn't followed`() async throws {
    let other = try WebhookReceiver()
    try await with([.status(307, ["Location: http://127.0.0.1:\(other.port)/v1/traces"])]) {
      agent, _ in
      try await agent.record(of: "agent", with: "it responded with status 307.")
      #expect(other.requests.isEmpty)
    }
  }

  @Test func `spans left at the end are sent before the host ends`() async throws {
    try await with([]) { agent, collector in
      agent.signal(15)
      let status = try await agent.ended()
      #expect(status == 0)
      #expect(collector.spans.map(\.name) == ["GET /api/v1/status"])
    }
  }
}
