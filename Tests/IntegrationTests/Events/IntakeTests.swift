import AgentJSON
import Testing

/// Events that come from outside, as lines of JSON.
@Suite struct IntakeTests {
  private static let head = "POST /api/v1/events HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"

  @Test func `any number of lines is accepted in one request`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      let filling = String(repeating: "x", count: 200)
      let lines = (1...15_000).map { #"{"type": "many", "n": \#($0), "text": "\#(filling)"}"# }
      try agent.folder.write("many.jsonl", lines.joined(separator: "\n"))
      let published = try await agent.piping("many.jsonl", into: ["events", "publish", "-"])
      #expect(published.output == "15000 events were stored.\n", "\(published.errors)")
      let numbers = try await agent.events("type:many").compactMap { $0["n"]?.int }
      #expect(numbers == Array(5001...15_000))
    }
  }

  @Test func `the first wrong line is named, and the lines before it are stored`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      let lines = [
        "", #"{"type": "a"}"#, #"{"type": "a"}"#, #"{"type": "a", }"#, #"{"type": "a"}"#,
      ]
      let text = lines.joined(separator: "\n")
      try agent.folder.write("wrong.jsonl", text)
      let published = try await agent.piping("wrong.jsonl", into: ["events", "publish", "-"])
      #expect(published.status == 1 && published.output == "")
      #expect(published.errors.contains("Line 4: "), "\(published.errors)")
      #expect(published.errors.contains("The 2 events before it were stored."))
      let reply = try await agent.client.send(
        raw: Array(
          (Self.head + "Content-Type: application/x-ndjson; charset=utf-8\r\n"
            + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)").utf8))
      #expect(reply.status == 400)
      #expect(reply.body["accepted"] == 2 && reply.body["line"] == 4, "\(reply.body)")
      #expect(try await agent.events("type:a").count == 4)
    }
  }

  @Test func `a request that breaks off stores whole lines only`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      let chunk = "{\"type\": \"whole\"}\n{\"type\": \"par"
      let size = String(chunk.utf8.count, radix: 16)
      let bytes = Array(
        (Self.head + "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "\(size)\r\n\(chunk)\r\nnonsense").utf8)
      _ = try? await agent.client.send(raw: bytes)
      let whole = try await eventually("the line is stored") {
        let events = try await agent.events("*")
        return events.isEmpty ? nil : events
      }
      #expect(whole.map { $0["type"] } == ["whole"])
    }
  }
}
