import AgentJSON
import Testing

/// Clients that go before they have their answer.
@Suite struct ClientDisconnectTests {
  private static let main = """
    import asyncio

    from agent_module import Action, Event, Module

    module = Module("waiter", "1.0.0")
    signal = asyncio.Event()


    @module.action("wait")
    class Wait(Action):
        async def perform(self, input, progress):
            async def say(type):
                await self.host.events.publish(Event(type, {"name": input["name"]}))

            await say("begun")
            try:
                await signal.wait()
            except asyncio.CancelledError:
                await say("cancelled")
                raise
            return input["name"]


    @module.action("go")
    class Go(Action):
        async def perform(self, input, progress):
            signal.set()


    if __name__ == "__main__":
        module.run()

    """

  private static let manifest: JSONObject = [
    "name": "waiter", "version": "1.0.0", "command": ["python3", "main.py"],
    "actions": ["wait": ["title": "Waits"], "go": ["title": "Ends the waits"]],
  ]

  private static func with(_ body: (AgentUnderTest, Int) async throws -> Void) async throws {
    try await AgentUnderTest.with { agent in
      try agent.addPython("waiter", main: main, manifest: manifest)
      let http: JSONObject = ["listen": "127.0.0.1:0", "allow_local_without_token": true]
      try agent.settings(
        modules: ["waiter"], processes: [:], others: ["http": .object(http)])
      try await agent.run()
      try await body(agent, try await agent.port().port)
    }
  }

  /// A client whose call waits.
  private static func waiting(
    _ name: String, port: Int, agent: AgentUnderTest, headers: [String] = []
  ) async throws -> TCPClient {
    let body = #"{"name": "\#(name)"}"#
    let lines =
      [
        "POST /api/v1/modules/waiter/actions/wait HTTP/1.1", "Host: localhost",
        "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
      ] + headers + ["", body]
    let client = try TCPClient(port: port)
    try await client.send(lines.joined(separator: "\r\n"))
    try await said("begun", by: name, agent)
    return client
  }

  private static func said(_ type: String, by name: String, _ agent: AgentUnderTest) async throws {
    _ = try await eventually("\(name) has \(type)", said: { agent.said }) {
      let events = try await agent.client.send("GET", "events?query=\(type)").body["events"]?.array
      return events?.first { $0["name"] == .string(name) }
    }
  }

  @Test func `a call is cancelled when its own caller leaves`() async throws {
    try await Self.with { agent, port in
      let stays = try await Self.waiting(
        "stays", port: port, agent: agent, headers: ["Connection: close"])
      var leaves: TCPClient? = try await Self.waiting("leaves", port: port, agent: agent)
      withExtendedLifetime(leaves) {}
      leaves = nil
      try await Self.said("cancelled", by: "leaves", agent)
      // One that says no more, and reads on, counts as gone too.
      try await Self.waiting("ends", port: port, agent: agent).send("", ends: true)
      try await Self.said("cancelled", by: "ends", agent)
      _ = try await agent.client.send("POST", "modules/waiter/actions/go", body: [:])
      #expect(await stays.text().hasSuffix("\r\n\r\n\"stays\""))
    }
  }

  @Test func `a call with an idempotency key is finished without its caller`() async throws {
    try await Self.with { agent, port in
      let key = "Idempotency-Key: once"
      var first: TCPClient? = try await Self.waiting(
        "kept", port: port, agent: agent, headers: [key])
      withExtendedLifetime(first) {}
      first = nil
      // The host has seen an end that came later.
      var other: TCPClient? = try await Self.waiting("other", port: port, agent: agent)
      withExtendedLifetime(other) {}
      other = nil
      try await Self.said("cancelled", by: "other", agent)
      _ = try await agent.client.send("POST", "modules/waiter/actions/go", body: [:])
      let answer = try await eventually("the answer is kept", said: { agent.said }) {
        let answer = try await agent.client.answer(
          "POST", "/api/v1/modules/waiter/actions/wait",
          headers: [key, "Content-Type: application/json"], body: #"{"name": "kept"}"#)
        return answer.status == 409 ? nil : answer
      }
      #expect(answer.body == "\"kept\"")
      let begun = try await agent.client.send("GET", "events?query=begun%20name:kept").body
      #expect(begun["events"]?.array?.count == 1)
    }
  }
}
