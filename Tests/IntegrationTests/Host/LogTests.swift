import AgentJSON
import Glibc
import Testing

/// `agent logs`, and what gets into the log.
@Suite struct LogTests {
  private func with(_ body: (AgentUnderTest) async throws -> Void) async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(
        modules: ["ticker"], processes: ["a": ["type": "ticks"], "b": ["type": "ticks"]],
        others: ["logging": ["forward": "log"]])
      try await agent.run()
      for name in ["a", "b"] { try await agent.record(of: name, with: "created") }
      try await body(agent)
    }
  }

  @Test func `logs of one process or all are shown as text and as JSON`() async throws {
    try await with { agent in
      let one = try await agent.agent("logs", "a")
      #expect(one.status == 0)
      #expect(one.output.contains("a: created"), "\(one.output)")
      #expect(!one.output.contains("b: created"))
      let all = try await agent.agent("logs").output
      for name in ["a", "b"] { #expect(all.contains("\(name): created")) }
      let lines = try await agent.agent("logs", "a", "--json", "-n", "1").output
      #expect(lines.split(separator: "\n").count == 1)
      #expect(try JSONValue(parsing: lines)["source"]?.string == "a")
      let missing = try await agent.agent("logs", "nobody")
      #expect(missing.status == 4)
      #expect(missing.errors.contains("nobody"))
    }
  }

  @Test func `logs -f continues with new lines`() async throws {
    try await with { agent in
      let follower = try agent.background(["logs", "a", "-f"])
      _ = try await eventually("the past is shown", said: { follower.said }) {
        follower.said.contains("a: created") ? true : nil
      }
      #expect(try await agent.agent("process", "restart", "a").status == 0)
      _ = try await eventually("the present is shown", said: { follower.said }) {
        follower.said.ranges(of: "a: created").count == 2 ? true : nil
      }
      #expect(!follower.said.contains("b: "))
      let other = try agent.background(["logs", "-f"])
      _ = try await eventually("the other reads, too", said: { other.said }) {
        other.said.contains("b: created") ? true : nil
      }
      follower.signal(SIGINT)
      #expect(try await follower.finished().status == -SIGINT)
      #expect(try await agent.agent("stop").status == 0)
      _ = try await other.finished(within: .longest)
    }
  }

  @Test func `records are forwarded as events, and logs are read without a host`() async throws {
    try await with { agent in
      _ = try await eventually("a record is an event") {
        try await agent.events("type:log").first {
          $0["message"]?.string == "created" && $0["source"]?.string == "a"
        }
      }
      agent.signal(SIGTERM)
      #expect(try await agent.ended() == 0)
      #expect(try await agent.agent("logs", "b").output.contains("b: created"))
      #expect(try await agent.agent("logs", "-f").status == 3)
    }
  }
}
