import AgentJSON
import Glibc
import Testing

/// Events outlive the host.
@Suite struct EventLogTests {
  @Test func `accepted events survive the death of the host`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      for n in 1...3 {
        let event: JSONValue = ["type": "kept", "n": JSONValue(n)]
        #expect(try await agent.client.send("POST", "events", body: event).status == 201)
      }
      let status = try await agent.agent("status", "--json")
      let database = try JSONValue(parsing: status.output)["database"]
      #expect(database == ["state": "READY", "since": .null, "problem": .null], "\(status.output)")
      let copy = "\(agent.folder.path)/copy.db"
      #expect(try await agent.agent("backup", copy).status == 0)
      let again = try await agent.agent("backup", copy)
      #expect(again.status == 1 && again.errors.contains("exists"), "\(again.errors)")
      agent.signal(SIGKILL)
      _ = try await agent.ended()
      #expect(try await agent.agent("backup", "copy-2.db").status == 0)
      for name in ["copy.db", "copy-2.db", ".agent/store.db"] {
        #expect(try agent.folder.mode(of: name) == 0o600, "\(name)")
      }
      try await agent.run()
      #expect(try await agent.events("type:kept").compactMap { $0["n"]?.int } == [1, 2, 3])
    }
  }
}
