import AgentJSON
import TestSupport
import Testing

/// What a collector gets of a request, from its caller over a worker to the database.
@Suite struct TraceTests {
  private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  private static let caller = "00f067aa0ba902b7"
  private static let headers = [
    "traceparent: 00-\(trace)-\(caller)-01", "tracestate: vendor=1",
  ]

  /// A module "traced" whose action "act" publishes and writes its state.
  enum Language: String, CaseIterable, Sendable {
    case c
    case python
  }

  private static let python = """
    from agent_module import Action, Event, Module

    module = Module("traced", "1.0.0")


    @module.action("act")
    class Act(Action):
        async def perform(self, input, progress):
            await self.host.events.publish(Event("acted", {}))
            await self.host.state.set("k", 1)
            return {"traceparent": progress.traceparent, "tracestate": progress.tracestate}


    if __name__ == "__main__":
        module.run()
    """

  private func add(_ language: Language, to agent: AgentUnderTest) async throws {
    var manifest: JSONObject = [
      "name": "traced", "version": "1.0.0", "actions": ["act": ["title": "Acts"]],
    ]
    switch language {
    case .c:
      let library = try await FixtureBuilder.shared.library("traced_module.c")
      try agent.folder.link(library, as: "modules/traced/libtraced.so")
      manifest["abi"] = 1
      manifest["library"] = "libtraced.so"
      try agent.write(manifest, of: "traced")
    case .python:
      manifest["command"] = ["python3", "main.py"]
      try agent.addPython("traced", main: Self.python, manifest: manifest)
    }
  }

  @Test(arguments: Language.allCases)
  func
    `a request, the call of a worker, what that asks and publishes and the commits are one trace`(
      language: Language
    ) async throws
  {
    let collector = try WebhookReceiver()
    try await AgentUnderTest.with { agent in
      try await add(language, to: agent)
      var traces = collector.traces
      traces["sample"] = 0
      try agent.settings(
        modules: ["traced"], processes: [:], others: ["traces": .object(traces)])
      try await agent.run()
      let answer = try await agent.client.answer(
        "POST", "/api/v1/modules/traced/actions/act",
        headers: Self.headers + ["Content-Type: application/json"], body: "{}")
      #expect(answer.status == 200, "\(answer.body)")

      let spans = try await collector.spans(of: Self.trace, 7)
      let request = try #require(spans.first { $0.parent == Self.caller })
      #expect(request.name.hasPrefix("POST /api/v1/modules/{name}/{kind}/"))
      #expect(request["http.response.status_code"] == "200")
      let below = spans.filter { $0.parent == request.id }
      #expect(below.map(\.name).sorted() == ["store write", "traced/act"], "\(spans)")
      let call = try #require(below.first { $0.name == "traced/act" })
      #expect(call["bulkhead.kind"] == "action")
      // The worker got the call's span, so that what it asks is below that.
      #expect(answer.body.contains("00-\(Self.trace)-\(call.id)-01"), "\(answer.body)")
      let asked = spans.filter { $0.parent == call.id }
      #expect(asked.map(\.name).sorted() == ["events/1 publish", "state/1 write"], "\(spans)")
      for step in asked {
        #expect(step["bulkhead.process"] == "module:traced")
        #expect(spans.filter { $0.parent == step.id }.map(\.name) == ["store write"], "\(spans)")
      }
      #expect(spans.allSatisfy { $0.state == "vendor=1" })
      #expect(answer.body.contains(#""tracestate":"vendor=1""#), "\(answer.body)")
      let event = try #require(try await agent.events("type:acted").first)
      #expect(event["__traceparent"] == nil, "\(event)")
      #expect(collector.spans.allSatisfy { $0.trace == Self.trace }, "\(collector.spans)")
    }
  }

  @Test func `a request that changes the settings doesn't trace what it starts`() async throws {
    let collector = try WebhookReceiver()
    try await AgentUnderTest.with { agent in
      var traces = collector.traces
      traces["sample"] = 0
      try agent.settings(
        modules: [], processes: [:],
        others: ["traces": .object(traces), "http": ["enabled": false]])
      try await agent.run()
      try agent.settings(
        modules: [], processes: [:],
        others: [
          "traces": .object(traces),
          "http": ["listen": "127.0.0.1:0", "allow_local_without_token": true],
        ])
      let answer = try await agent.client.answer("POST", "/api/v1/reload", headers: Self.headers)
      #expect(answer.status == 200, "\(answer.body)")
      let reply = try await agent.port().send("POST", "/api/v1/events", body: #"[{"type": "a"}]"#)
      #expect(reply.status == 201, "\(reply.text)")
      // A request of its own after it: what came before is at the collector by then.
      let last = Self.headers.map { $0.replacing(Self.trace, with: String(Self.trace.reversed())) }
      _ = try await agent.client.answer("GET", "/api/v1/status", headers: last)
      _ = try await collector.spans(of: String(Self.trace.reversed()), 1)
      let names = collector.spans.filter { $0.trace == Self.trace }.map(\.name)
      #expect(names.sorted() == ["POST /api/v1/reload", "store write"])
    }
  }
}
