import AgentJSON
import Testing

/// The TCP port that takes events.
@Suite struct EventPortTests {
  private func settings(_ agent: AgentUnderTest, _ port: JSONObject = [:]) throws {
    var tcp: JSONObject = ["listen": "127.0.0.1:0"]
    for (key, value) in port { tcp[key] = value }
    try agent.settings(
      modules: [], processes: [:], others: ["events": ["tcp": .object(tcp)]])
  }

  @Test func `lines become events, invalid ones are reported, and the end is confirmed`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try settings(agent, ["type": "reading", "max_line": 1000])
      try await agent.run()
      let client = try TCPClient(port: try await agent.openPort())
      try await client.send(#"{"n": 1}"# + "\n" + #"{"type": "own", "source": "me", "#)
      try await client.send("\"n\": 2}\r\n\nnonsense\n")
      let long = String(repeating: "x", count: 2000)
      try await client.send("{\"text\": \"\(long)\"}\n" + #"{"n": 3}"#, ends: true)
      let answers = try await client.answers()
      #expect(answers.map { $0["line"] } == [4, 5, nil], "\(answers)")
      #expect(answers[0]["error"]?.string?.contains("nonsense isn't a JSON value") == true)
      #expect(answers[1]["error"]?.string?.contains("events.tcp.max_line") == true)
      #expect(answers[2] == ["accepted": 3, "refused": 2])
      let events = try await agent.events("*")
      #expect(events.map { $0["type"] } == ["reading", "own", "reading"])
      #expect(events.map { $0["source"] } == ["tcp", "me", "tcp"])
      #expect(events.map { $0["n"] } == [1, 2, 3])
      let status = try await agent.listener("counts") { $0["connections"] == 0 }
      #expect(status["accepted"] == 3 && status["refused"] == 2, "\(status)")
    }
  }

  @Test func `many clients connect at once, up to the limit`() async throws {
    try await AgentUnderTest.with { agent in
      try settings(agent, ["max_connections": 4])
      try await agent.run()
      let port = try await agent.openPort()
      let clients = try (0..<4).map { _ in try TCPClient(port: port) }
      _ = try await agent.listener("has four clients") { $0["connections"] == 4 }
      let fifth = try await TCPClient(port: port).answers()
      #expect(fifth.first?["error"]?.string?.contains("at most 4") == true, "\(fifth)")
      try await withThrowingTaskGroup { group in
        for (number, client) in clients.enumerated() {
          group.addTask {
            let lines = (0..<2000).map { #"{"type": "t\#(number)", "n": \#($0)}"# + "\n" }
            try await client.send(lines.joined(), ends: true)
            #expect(try await client.answers() == [["accepted": 2000, "refused": 0]])
          }
        }
        try await group.waitForAll()
      }
      for number in 0..<4 {
        let numbers = try await agent.events("type:t\(number)").compactMap { $0["n"]?.int }
        #expect(numbers == Array(0..<2000))
      }
    }
  }

  @Test func `the port follows the settings, and a client learns what was stored`() async throws {
    try await AgentUnderTest.with { agent in
      try settings(agent)
      try await agent.run()
      let first = try await agent.openPort()
      let client = try TCPClient(port: first)
      try await client.send(#"{"type": "a"}"# + "\n")
      _ = try await agent.listener("has an event") { $0["accepted"] == 1 }
      try settings(agent, ["source": "other"])
      #expect(try await agent.agent("reload").output.contains("The port for events changed."))
      #expect(try await client.answers() == [["accepted": 1, "refused": 0]])
      let later = try TCPClient(port: try await agent.openPort())
      try await later.send(#"{"type": "a"}"# + "\n")
      _ = try await agent.listener("has an event") { $0["accepted"] == 1 }
      #expect(try await agent.events("source:other").count == 1)
      #expect(try await agent.agent("stop").status == 0)
      #expect(try await later.answers() == [["accepted": 1, "refused": 0]])
    }
  }

  @Test func `a port in use is reported and opened once it is free`() async throws {
    try await AgentUnderTest.with { other in
      try settings(other)
      try await other.run()
      let port = try await other.openPort()
      try await AgentUnderTest.with { agent in
        try settings(agent, ["listen": .string("127.0.0.1:\(port)")])
        try await agent.run()
        let failed = try await agent.listener("has failed") { $0["state"] == "FAILED" }
        #expect(failed["problem"]?.string?.contains("another program has this port") == true)
        let status = try await agent.agent("status")
        #expect(status.status == 1 && status.output.contains("events.tcp  FAILED"))
        #expect(try await other.agent("stop").status == 0)
        #expect(try await agent.openPort() == port)
        #expect(try await agent.agent("status").status == 0)
      }
    }
  }

  @Test func `a silent client is disconnected`() async throws {
    try await AgentUnderTest.with { agent in
      try settings(agent, ["idle_seconds": 1])
      try await agent.run()
      let client = try TCPClient(port: try await agent.openPort())
      try await client.send(#"{"type": "a"}"# + "\n")
      #expect(try await client.answers() == [["accepted": 1, "refused": 0]])
    }
  }
}
