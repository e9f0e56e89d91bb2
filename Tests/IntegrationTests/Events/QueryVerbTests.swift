import AgentJSON
import Glibc
import Testing

/// `agent events` and `agent query`, as a user runs them.
@Suite struct QueryVerbTests {
  private let trades = (1...3).flatMap { n in
    ["XBT", "ETH"].map { #"{"type": "trade", "pair": "\#($0)", "value": \#(n)}"# }
  }

  @Test func `events are published from standard input, listed and counted`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      try agent.folder.write("trades.jsonl", trades.joined(separator: "\n"))
      let published = try await agent.piping("trades.jsonl", into: ["events", "publish", "-"])
      #expect(published.status == 0 && published.output == "6 events were stored.\n")
      let types = try await agent.json("events", "types")
      #expect(types.value["types"]?[0]?["type"] == "trade")
      #expect(types.value["types"]?[0]?["count"] == 6)

      let sums = try await agent.agent(
        "query", "trade => sum(value) as total, count() by pair at the end",
        "--span", "from 1 hour ago to now", "--explain")
      let past = try await agent.agent("query", "trade => count() at the end", "--past")
      #expect(try JSONValue(parsing: past.output)["count"] == 6)
      #expect(sums.status == 0)
      let rows = try sums.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
      #expect(rows.map { $0["pair"] } == ["XBT", "ETH"])
      #expect(rows.map { $0["total"] } == [6, 6] && rows.map { $0["count"] } == [3, 3])
      #expect(sums.errors.contains("1. filter: trade"))
      #expect(sums.errors.contains("window: 6 rows in, 2 out"))
    }
  }

  @Test func `numbers are plotted over time, and missing numbers are reported`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      let events = (0..<20).map {
        #"{"type": "load", "timestamp": \#(1_763_812_800_000 + $0 * 60_000), "n": \#($0)}"#
      }
      try agent.folder.write("load.jsonl", events.joined(separator: "\n"))
      _ = try await agent.piping("load.jsonl", into: ["events", "publish", "-"])
      let span = ["--span", "from 2025-11-22 12:00 to 2025-11-22 13:00", "--plot"]
      let chart = try await agent.agent(
        ["query", "load => max(n) as most by type every 5 minutes"] + span,
        variables: ["TZ": "UTC", "COLUMNS": "60"])
      let lines = chart.output.split(separator: "\n")
      #expect(chart.status == 0 && lines.count == 20, "\(chart.output)\(chart.errors)")
      #expect(lines[0].hasPrefix("20 ┤") && lines[16].hasPrefix(" 0 ┤"), "\(chart.output)")
      #expect(lines[19] == "load most 19   2025-11-22", "\(chart.output)")
      #expect(lines.allSatisfy { $0.count <= 60 })
      let nothing = try await agent.agent(["query", "load => lastv(type) as t at the end"] + span)
      #expect(
        nothing.output == "" && nothing.errors.contains("no column of the 1 rows has numbers"))
      let both = try await agent.agent(["query", "load", "--json"] + span)
      #expect(both.status == 2)
    }
  }

  @Test func `a mistake in a query is reported with its place, without a host`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      let query = try await agent.agent("query", "trade => sum(valu")
      #expect(query.status == 2)
      #expect(query.errors.contains("query:1:"), "\(query.errors)")
      let span = try await agent.agent("query", "trade", "--span", "lst 5 minutes")
      #expect(span.status == 2)
      #expect(span.errors.contains("last 60 seconds"), "\(span.errors)")
      #expect(try await agent.agent("query", "trade").status == 3)
    }
  }
}
