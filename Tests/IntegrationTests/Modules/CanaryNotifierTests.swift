import AgentJSON
import Glibc
import TestSupport
import Testing

/// Secrets of notifiers, header fields and environments are where they must be, and nowhere else.
@Suite struct CanaryNotifierTests {
  /// Says what its environment holds, in every way that it has.
  private static let leaky = """
    import os
    import sys

    from agent_module import Datasource, Module

    module = Module("MODULE", "1.0.0")


    @module.datasource("MODULE_leak")
    class Leak(Datasource):
        async def run(self):
            said = " ".join(os.environ.get(name, "-") for name in ("MODULE_TOKEN", "OWN"))
            self.host.log(f"I log {said}.")
            print(f"I print {said}.", file=sys.stderr, flush=True)
            while self.settings.get("stays"):
                await self.host.sleep(1)
            raise RuntimeError("I fail with " + said)


    module.run()
    """

  private static let path = "canary0path0hG62bQw"
  private static let query = "canary-query-8Vd3nXcLs5"
  private static let header = "canary-header-5Tm9kRzWq2"
  private static let signing = "canary-signing-3Jf7pYbNd6"
  private static let pager = "canary-pager-1Lx4vCgTh8"
  private static let module = "canary-module-6Rk2sMwZp9"
  private static let own = "canary-own-7Bq5tHnJv3"
  private static let trace = "canary-trace-4Gc8wDfKy1"

  private static func webhook(_ port: Int) -> JSONValue {
    [
      "type": "webhook", "allow_private": true, "attempts": 1,
      "url": .string("http://127.0.0.1:\(port)/\(path)?token=\(query)"),
      "secret": .string(signing), "headers": ["Authorization": .string("Bearer \(header)")],
    ]
  }

  /// A receiver that says all that it was sent, as some do in their errors.
  private static let answer =
    "no \(path), \(query), \(header), \(signing)"

  private func addModule(_ name: String, to agent: AgentUnderTest) throws {
    try agent.addPython(
      name,
      main: Self.leaky.replacing("MODULE_leak", with: "\(name)_leak")
        .replacing("Module(\"MODULE\"", with: "Module(\"\(name)\""),
      manifest: [
        "name": .string(name), "version": "1.0.0", "command": ["python3", "main.py"],
        "processes": [
          "\(name)_leak": [
            "kind": "datasource",
            "settings": ["type": "object", "properties": ["stays": ["type": "boolean"]]],
          ]
        ],
      ])
  }

  @Test func `secrets of notifiers and environments appear nowhere else`() async throws {
    let receiver = try WebhookReceiver(
      Array(repeating: .status(500, [], Self.answer), count: 10))
    try await AgentUnderTest.with { agent in
      try addModule("leaky", to: agent)
      try addModule("other", to: agent)
      try agent.folder.write(".env", "OWN=\(Self.own)\n")
      chmod("\(agent.folder.path)/.env", 0o600)
      try agent.settings(
        modules: ["leaky", "other"],
        processes: [
          "fails": ["type": "leaky_leak", "environment": ["OWN": "${secret:OWN}"]],
          "stays": ["type": "other_leak", "stays": true],
        ],
        others: [
          "modules": ["leaky": ["environment": ["MODULE_TOKEN": .string(Self.module)]]],
          "http": ["listen": "127.0.0.1:0"], "logging": ["forward": "log"],
          "traces": [
            "endpoint": "http://127.0.0.1:1",
            "headers": ["Authorization": .string("Bearer \(Self.trace)")],
          ],
          "notifications": [
            "rules": [["name": "all", "when": ["event": "alert"], "to": ["hook", "pager"]]],
            "notifiers": [
              "hook": Self.webhook(receiver.port),
              "pager": [
                "type": "command", "command": ["/bin/sh", "-c", "echo $PAGER_TOKEN; exit 1"],
                "environment": ["PAGER_TOKEN": .string(Self.pager)], "attempts": 1,
              ],
            ],
          ],
        ])
      try await agent.run()
      let other = try await agent.process("stays", "runs") { $0.state == "RUNNING" }
      let pid = try #require(other.pid)
      let event: JSONValue = ["type": "alert", "title": "High", "text": "3 m"]
      #expect(try await agent.client.send("POST", "events", body: event).status == 201)
      for name in ["hook", "pager"] {
        _ = try await eventually("\(name) is given up") {
          let path = "deliveries?state=given_up&notifier=\(name)"
          let list = try await agent.client.send("GET", path).body["deliveries"]?.array
          return list?.isEmpty == false ? list : nil
        }
        let tested = try await agent.agent("notify", "test", name)
        #expect(tested.status == 1)
        Canaries([Self.query, Self.pager]).expect(notIn: tested.errors, "notify test")
      }
      // What was asked for arrives where it belongs.
      let sent = try #require(receiver.requests.first)
      #expect(sent.path.contains(Self.query) && sent.headers["authorization"] != nil)
      let token = try await agent.agent("token", "create", "probe", "--scope", "administer")
      try await Canaries([
        Self.path, Self.query, Self.header, Self.signing, Self.pager, Self.module, Self.own,
        Self.trace,
      ]).check(
        agent, workers: [pid_t(pid)], port: agent.port(),
        token: token.output.filter { !$0.isWhitespace })
    }
  }
}
