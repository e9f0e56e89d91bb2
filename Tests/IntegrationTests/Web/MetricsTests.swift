import AgentJSON
import Testing

/// What a running host counts, and that docs/metrics.md names it.
@Suite struct MetricsTests {
  private struct Row {
    let name: String
    let type: String
    let labels: Set<String>
    /// Whether it may be missing while there is nothing to say.
    let isOccasional: Bool
  }

  /// The rows of the page's tables.
  private static func page() throws -> [String: Row] {
    let text = String(
      decoding: try TemporaryFolder.bytes(ofFile: "\(Places.repository)/docs/metrics.md"),
      as: UTF8.self)
    var rows: [String: Row] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.split(separator: "`").map(String.init) }
      guard cells.count >= 4, cells[0].count > 1 else { continue }
      let name = cells[0][1]
      let labels = cells[2].filter { $0.contains { $0.isLetter } }
      rows[name] = Row(
        name: name, type: cells[1].joined().filter(\.isLetter), labels: Set(labels),
        isOccasional: line.contains("; there "))
    }
    return rows
  }

  @Test func `every metric of a running host is on the page, and the other way round`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      _ = try await agent.client.send("POST", "events", body: [["type": "a"]])
      _ = try await agent.client.send("GET", "nonsense")
      let answer = try await agent.client.send("GET", "metrics").body
      let page = try Self.page()
      #expect(page.count > 40)
      var found: Set<String> = []
      for metric in answer["metrics"]?.array ?? [] {
        let name = metric["name"]?.string ?? "?"
        found.insert(name)
        guard let row = page[name] else {
          Issue.record("docs/metrics.md doesn't name \(name)")
          continue
        }
        #expect(row.type == metric["type"]?.string, "\(name)")
        for series in metric["series"]?.array ?? [] {
          #expect(Set(series["labels"]?.object?.keys ?? []) == row.labels, "\(name)")
        }
      }
      for row in page.values where !row.isOccasional {
        #expect(found.contains(row.name), "\(row.name) isn't there")
      }
    }
  }

  @Test func `metrics change, and people and Prometheus see the same`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      for _ in 0..<3 { _ = try await agent.client.send("POST", "events", body: [["type": "a"]]) }
      let text = try await agent.agent("metrics", "--prometheus").output
      #expect(text.contains("\nbulkhead_events_published_total 3\n"), "\(text.prefix(2000))")
      #expect(
        text.contains(
          "bulkhead_http_requests_total{method=\"POST\",route=\"/api/v1/events\",status=\"201\"} 3")
      )
      #expect(text.contains("# TYPE bulkhead_store_commit_seconds histogram\n"))
      let lines = try await agent.agent("metrics", "events_published").output
      #expect(lines == "bulkhead_events_published_total  -  3\n")
      let none = try await agent.agent("metrics", "no_such_metric")
      #expect(none.status == 1)
    }
  }

  @Test func `a stream's bytes are counted`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      for n in 0..<20 {
        _ = try await agent.client.send("POST", "events", body: [["type": "a", "n": JSONValue(n)]])
      }
      let before = try await Self.bytesSent(agent)
      let stream = try await agent.client.answer("GET", "/api/v1/query?query=a&past")
      let lines = try #require(Self.unchunked(stream.body))
      #expect(lines.contains("\"destroy\""), "\(lines)")
      let after = try await Self.bytesSent(agent)
      #expect(after.sent - before.sent == before.size + lines.utf8.count)
    }
  }

  /// The bytes that a host says it has sent, and the size of that answer.
  private static func bytesSent(_ agent: AgentUnderTest) async throws -> (sent: Int, size: Int) {
    let answer = try await agent.client.answer("GET", "/api/v1/metrics")
    let metrics = try JSONValue(parsing: answer.body)["metrics"]?.array ?? []
    let metric = metrics.first { $0["name"] == "bulkhead_http_response_bytes_total" }
    let sent = try #require(metric?["series"]?[0]?["value"]?.int)
    return (sent, answer.body.utf8.count)
  }

  /// What came in chunks (RFC 9112, section 7.1); nil when it didn't.
  private static func unchunked(_ body: String) -> String? {
    var (bytes, left) = ([UInt8](), Array(body.utf8)[...])
    while let end = left.firstIndex(of: 13) {
      let text = String(decoding: left[..<end], as: UTF8.self)
      guard let size = Int(text, radix: 16), left.count >= end - left.startIndex + size + 4 else {
        return nil
      }
      if size == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += left[(end + 2)..<(end + 2 + size)]
      left = left[(end + 2 + size + 2)...]
    }
    return nil
  }
}
