import AgentJSON
import Glibc
import Testing

/// Live queries, the log and ended tasks of a whole host whose clock is set.
@Suite struct ClockQueryTests {
  private static let hour = 3_600

  /// A live query of the command line, and the events that it is to show.
  private final class Beats {
    private let agent: AgentUnderTest
    private let each: Child
    private let windows: Child
    private(set) var sent = 0

    init(_ agent: AgentUnderTest) throws {
      self.agent = agent
      each = try agent.background(["query", "beat => n"])
      windows = try agent.background(["query", "beat => count() as k every 1 second"])
    }

    func end() {
      for child in [each, windows] { child.signal(SIGTERM) }
    }

    func publish(at moment: Int? = nil) async throws {
      sent += 1
      var event: JSONObject = ["type": "beat", "n": JSONValue(sent)]
      if let moment { event["timestamp"] = JSONValue(moment) }
      let reply = try await agent.client.send("POST", "events", body: .object(event))
      #expect(reply.status == 201, "\(reply)")
    }

    private func rows(_ child: Child) -> [JSONValue] {
      child.said.split(separator: "\n").compactMap { try? JSONValue(parsing: String($0)) }
    }

    private var seen: [Int] { rows(each).compactMap { $0["n"]?.int } }

    /// Publishes until the queries show something: they may have begun just now.
    func begin() async throws {
      _ = try await eventually("the queries run", said: { each.said + windows.said }) {
        try await publish()
        return !seen.isEmpty && !rows(windows).isEmpty ? true : nil
      }
    }

    /// Both queries go on: the one shows each event once, the other further windows.
    func goOn(_ when: String) async throws {
      let former = rows(windows).count
      try await publish()
      _ = try await eventually("event \(sent) is shown \(when)", said: { each.said }) {
        seen.contains(sent) ? true : nil
      }
      _ = try await eventually("windows go on \(when)", said: { windows.said }) {
        try await publish()
        return rows(windows).count > former ? true : nil
      }
      let shown = seen
      #expect(shown.count == Set(shown).count, "an event is shown twice \(when)")
    }
  }

  @Test func `live queries go on and the log loses nothing when the clock is set`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(
        modules: [], processes: [:], others: ["http": ["enabled": false]])
      let clock = try await FalseClock(of: agent)
      try await agent.run(variables: clock.variables)
      let made = try await agent.client.send(
        "POST", "tasks", body: ["name": "x", "run_command": "true", "status": "queued"])
      let task = try #require(made.body["id"]?.string, "\(made)")
      let beats = try Beats(agent)
      defer { beats.end() }
      try await beats.begin()
      try clock.setBack(milliseconds: 300)
      try await beats.goOn("after 300 ms back")
      // Eight hours forth: what a machine's clock does when it resumes.
      for seconds in [0, Self.hour, 0, -Self.hour, 0, 8 * Self.hour, 0] {
        try clock.set(seconds)
        try await beats.goOn("after the clock was set to \(seconds) s")
      }
      try await beats.publish(at: 2_082_758_400_000)
      try await beats.goOn("after an event of 2036")
      try await isComplete(agent, beats.sent)

      // A clock that is years ahead while nobody is there removes nothing.
      agent.signal(SIGTERM)
      #expect(try await agent.ended() == 0)
      try clock.set(400 * 24 * Self.hour)
      try await agent.run(variables: clock.variables)
      try await isComplete(agent, beats.sent)
      #expect(try await agent.client.send("GET", "tasks/\(task)").body["status"] == "succeeded")
    }
  }

  private func isComplete(_ agent: AgentUnderTest, _ count: Int) async throws {
    let types = try await agent.client.send("GET", "events/types").body["types"]?.array ?? []
    #expect(types.first { $0["type"] == "beat" }?["count"]?.int == count, "\(types)")
  }
}
