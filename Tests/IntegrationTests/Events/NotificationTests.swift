import AgentJSON
import Glibc
import TestSupport
import Testing

/// Rules, alerts and notifiers, with the host as it runs.
@Suite struct NotificationTests {
  /// Settings with these rules and notifiers, and a ticker that runs.
  private func with(
    _ rules: [JSONValue], notifiers: JSONObject = [:],
    body: (AgentUnderTest) async throws -> Void
  ) async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(
        modules: ["ticker"], processes: [:],
        others: [
          "notifications": ["rules": .array(rules), "notifiers": .object(notifiers)]
        ])
      try await body(agent)
    }
  }

  private func webhook(_ receiver: WebhookReceiver, _ fields: JSONObject = [:]) -> JSONObject {
    var settings: JSONObject = [
      "type": "webhook", "url": .string("http://127.0.0.1:\(receiver.port)/hook"),
      "allow_private": true, "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      "backoff": ["initial": "20ms", "max": "50ms"], "timeout": "2s",
    ]
    for (key, value) in fields { settings[key] = value }
    return ["ops": .object(settings)]
  }

  private static let alerts: JSONValue = [
    "name": "alerts", "when": ["event": "alert"], "to": ["ops"],
  ]

  private func publish(_ agent: AgentUnderTest, _ keys: [Int]) async throws {
    let events = keys.map { key -> JSONValue in
      ["type": "alert", "source": "t", "key": JSONValue(key), "title": "High", "text": "3 m"]
    }
    let reply = try await agent.client.send("POST", "events", body: .array(events))
    #expect(reply.status == 201, "\(reply.error)")
  }

  private func list(_ agent: AgentUnderTest, _ path: String) async throws -> [JSONValue] {
    let reply = try await agent.client.send("GET", path)
    let name = String(path.prefix { $0 != "?" })
    guard let list = reply.body[name]?.array else { throw HarnessError(reply.error) }
    return list
  }

  /// Checks a signature with Python's own HMAC, as a receiver would.
  private func isSigned(
    _ request: WebhookReceiver.Request, _ agent: AgentUnderTest
  ) async throws -> Bool {
    let body = request.body.map { String($0, radix: 16) }
      .map { $0.count == 1 ? "0" + $0 : $0 }.joined()
    let script = """
      import base64, hashlib, hmac, sys
      key = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
      text = f"{sys.argv[1]}.{sys.argv[2]}.".encode() + bytes.fromhex(sys.argv[3])
      print("v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode())
      """
    let file = "\(agent.folder.path)/signature-\(UInt64.random(in: 0...UInt64.max))"
    let child = try Child(
      [
        "/usr/bin/env", "python3", "-c", script, request.id,
        request.headers["webhook-timestamp"] ?? "", body,
      ], in: agent.folder.path, environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"],
      output: file, errors: "\(file)-errors")
    let finished = try await child.finished()
    return finished.output == (request.headers["webhook-signature"] ?? "") + "\n"
  }

  // MARK: Webhooks

  @Test func `a webhook gets a raised alert, signed, once its receiver works`() async throws {
    let receiver = try WebhookReceiver([.status(500, [], "not yet"), .silence])
    try await with([Self.alerts], notifiers: webhook(receiver, ["timeout": "300ms"])) { agent in
      try await agent.run()
      try await publish(agent, [1, 1, 1])
      let delivery = try await eventually("it is delivered") {
        try await list(agent, "deliveries?state=delivered").first
      }
      #expect(delivery["attempts"] == 3 && delivery["notifier"] == "ops")
      #expect(receiver.requests.count == 3 && Set(receiver.requests.map(\.id)).count == 1)
      for request in receiver.requests { #expect(try await isSigned(request, agent)) }
      let data = receiver.requests[2].json["data"]
      #expect(data?["title"] == "High" && data?["event"]?["key"] == 1)
      #expect(data?["alert"]?["rule"] == "alerts")
      try await agent.record(of: "agent", with: "The receiver answered 500: not yet")
      let health = try await agent.client.send("GET", "health").body["components"]?.array
      #expect(health?.first { $0["name"] == "notifications" }?["state"] == "ok")
      let alert = try await list(agent, "alerts?rule=alerts")
      #expect(alert.count == 1 && alert[0]["count"] == 3)
    }
  }

  @Test func `a webhook to this machine is refused unless the settings allow it`() async throws {
    let receiver = try WebhookReceiver()
    try await with([], notifiers: webhook(receiver, ["allow_private": false])) { agent in
      try await agent.run()
      let tested = try await agent.agent("notify", "test", "ops")
      #expect(tested.status == 1, "\(tested.output)")
      #expect(tested.errors.contains("127.0.0.1 has no public address"), "\(tested.errors)")
      #expect(receiver.requests.isEmpty)
      let health = try await agent.client.send("GET", "health").body["components"]?.array
      let reason = health?.first { $0["name"] == "notifications" }?["reason"]?.string ?? ""
      #expect(reason.contains("ops: 127.0.0.1 has no public address"), "\(reason)")
      let listed = try await agent.agent("notify", "deliveries", "--notifier", "ops")
      #expect(listed.output.contains("given_up"), "\(listed.output)")
    }
  }

  @Test func `a killed host loses no alert and opens none twice`() async throws {
    // The first connections hang, so that the host dies with notices on their way.
    let receiver = try WebhookReceiver(Array(repeating: .silence, count: 2))
    try await with([Self.alerts], notifiers: webhook(receiver, ["timeout": "1m"])) { agent in
      try await agent.run()
      try await publish(agent, Array(0..<10))
      _ = try await eventually("a notice is on its way") { receiver.requests.first }
      // Stored, and the host dies at once: nobody has looked at them yet.
      try await publish(agent, Array(10..<30))
      agent.signal(SIGKILL)
      _ = try await agent.ended()
      try await agent.run()
      _ = try await eventually("all are delivered") {
        let delivered = try await list(agent, "deliveries?state=delivered&limit=1000")
        return delivered.count == 30 ? true : nil
      }
      let alerts = try await list(agent, "alerts?limit=1000")
      #expect(alerts.count == 30 && alerts.allSatisfy { $0["count"] == 1 })
      // What hung came again with the id that it had; nothing else came twice.
      let ids = Dictionary(grouping: receiver.requests, by: \.id).mapValues(\.count)
      #expect(ids.count == 30, "\(ids.count)")
      #expect(ids.values.allSatisfy { $0 <= 2 } && ids.values.contains(2))
      let keys = Set(receiver.requests.compactMap { $0.json["data"]?["event"]?["key"]?.int })
      #expect(keys == Set(0..<30))
    }
  }

  // MARK: Commands, modules, the log

  @Test func `a command gets the notice and little else, and its output is kept`() async throws {
    let rule: JSONValue = [
      "name": "alerts", "when": ["event": "alert"], "to": ["page", "fail", "log"],
      "template": ["title": "{title} at {key}"],
    ]
    let script = "cat > notice.json; env > variables; ls -l /proc/self/fd | wc -l > descriptors"
    let notifiers: JSONObject = [
      "page": [
        "type": "command", "command": ["sh", "-c", .string(script)], "environment": ["A": "b"],
      ],
      "fail": [
        "type": "command", "attempts": 1,
        "command": ["sh", "-c", "echo 'the pager is off' >&2; exit 3"],
      ],
    ]
    try await with([rule], notifiers: notifiers) { agent in
      try await agent.run()
      try await publish(agent, [7])
      let failed = try await eventually("one is given up") {
        try await list(agent, "deliveries?state=given_up").first
      }
      #expect(failed["error"] == "sh exited with code 3: the pager is off")
      _ = try await eventually("two are delivered") {
        try await list(agent, "deliveries?state=delivered").count == 2 ? true : nil
      }
      let notice = try JSONValue(parsing: try agent.folder.text("notice.json"))
      #expect(notice["title"] == "High at 7" && notice["kind"] == "opened")
      let variables = try agent.folder.text("variables").split(separator: "\n").map {
        String($0.prefix { $0 != "=" })
      }
      let expected = ["A", "AGENT_FOLDER", "AGENT_NOTICE", "HOME", "LANG", "PATH"]
      // The shell adds some of its own.
      #expect(Set(variables).subtracting(["PWD", "SHLVL", "_", "OLDPWD"]) == Set(expected))
      try await agent.record(of: "agent", with: "High at 7: 3 m")
    }
  }

  @Test func `a command that takes too long is ended with its children`() async throws {
    let notifiers: JSONObject = [
      "slow": [
        "type": "command", "timeout": "300ms",
        "command": ["sh", "-c", "sleep 4711 & sleep 4711"],
      ]
    ]
    try await with([], notifiers: notifiers) { agent in
      try await agent.run()
      let tested = try await agent.agent("notify", "test", "slow")
      #expect(tested.errors.contains("It took longer than 300 ms."), "\(tested.errors)")
      _ = try await eventually("nothing of it is left") {
        ProcessTable.pids(with: "AGENT_FOLDER=\(agent.folder.path)").isEmpty ? true : nil
      }
    }
  }

  @Test func `a module's notifier delivers notices`() async throws {
    let rule: JSONValue = ["name": "a", "when": ["event": "alert"], "to": ["mail/post"]]
    let main = """
      from agent_module import Module, Notifier

      module = Module("mail", "1.0.0")


      @module.notifier("post")
      class Post(Notifier):
          async def deliver(self, notice):
              open("/tmp/nowhere/x") if notice.title == "bad" else None
              self.host.log(f"got {notice.title}: {notice.text} ({notice.severity})")


      module.run()
      """
    try await with([rule]) { agent in
      try agent.addPython(
        "mail", main: main,
        manifest: [
          "name": "mail", "version": "1.0.0", "command": ["python3", "main.py"],
          "notifiers": ["post": ["title": "Post"]],
        ])
      try agent.settings(
        modules: ["mail"], processes: [:], others: ["notifications": ["rules": [rule]]])
      try await agent.run()
      try await publish(agent, [1])
      _ = try await eventually("it says so") {
        agent.said.contains("module:mail: got High: 3 m (warning)") ? true : nil
      }
      let names = try await list(agent, "notifiers").compactMap { $0["name"]?.string }
      #expect(names == ["console", "log", "mail/post"])
    }
  }

  // MARK: Processes

  @Test func `a failed process is an alert until it runs again`() async throws {
    let rule: JSONValue = [
      "name": "failures", "when": ["event": "process_failed"], "to": ["console"],
      "template": ["title": "{process} has failed", "text": "{error}"],
    ]
    try await AgentUnderTest.with { agent in
      try await agent.addMisbehaving()
      func settings(_ mode: String) throws {
        try agent.settings(
          modules: ["misbehaving"],
          processes: ["bad": ["type": "misbehave", "mode": .string(mode)]],
          others: ["notifications": ["rules": [rule]]])
      }
      try settings("segv")
      try await agent.run()
      try await agent.process("bad", "fails", isSo: { $0.state == "FAILED" })
      let alert = try await eventually("an alert") { try await list(agent, "alerts").first }
      #expect(alert["title"] == "bad has failed" && alert["severity"] == "critical")
      #expect(alert["text"]?.string?.isEmpty == false)
      // It is remembered over a restart of the host that it had failed.
      agent.signal(SIGTERM)
      _ = try await agent.ended()
      try settings("none")
      try await agent.run()
      _ = try await eventually("it is over") {
        try await list(agent, "alerts?state=resolved").first
      }
      let events = try await agent.events("process_recovered")
      #expect(events.count == 1 && events[0]["process"] == "bad")
      let kinds = try await list(agent, "deliveries").map { $0["kind"]?.string }
      #expect(kinds == ["resolved", "opened"])
      _ = try await eventually("the console says so", said: { agent.said }) {
        agent.said.contains("[critical] Resolved: bad has failed") ? true : nil
      }
    }
  }

  // MARK: People

  @Test func `people see, acknowledge and resolve alerts`() async throws {
    let rule: JSONValue = ["name": "alerts", "when": ["event": "alert"], "to": ["log"]]
    try await with([rule]) { agent in
      try await agent.run()
      #expect(try await agent.agent("alerts", "list").output == "No alerts.\n")
      try await publish(agent, [1, 2])
      _ = try await eventually("two alerts") {
        try await list(agent, "alerts").count == 2 ? true : nil
      }
      let ack = try await agent.agent("alerts", "ack", "1", "--note", "on it")
      #expect(ack.output == "The alert 1 is acknowledged.\n", "\(ack.errors)")
      let resolved = try await agent.agent("alerts", "resolve", "2")
      #expect(resolved.status == 0, "\(resolved.errors)")
      let again = try await agent.agent("alerts", "resolve", "2")
      #expect(again.status == 1 && again.errors.contains("resolved already"), "\(again.errors)")
      #expect(try await agent.agent("alerts", "ack", "9").status == 4)
      let open = try await agent.agent("alerts", "list")
      #expect(open.output.contains("acknowledged") && !open.output.contains("resolved"))
      #expect(try await agent.agent("alerts", "list", "--all").output.contains("resolved"))
      let shown = try await agent.agent("alerts", "show", "1")
      #expect(shown.output.contains("acknowledged by") && shown.output.contains(": on it"))
      let tested = try await agent.agent("notify", "test", "log")
      #expect(tested.output == "log delivered the test.\n", "\(tested.errors)")
      #expect(try await agent.agent("notify", "test", "lug").status == 4)
      #expect(try await agent.agent("notify", "list").output.contains("console"))
      let deliveries = try await agent.agent("notify", "deliveries")
      #expect(deliveries.output.contains("delivered"), "\(deliveries.output)")
      let bare =
        "POST /api/v1/alerts/9/resolve HTTP/1.1\r\nHost: agent\r\nConnection: close\r\n\r\n"
      #expect(try await agent.client.send(raw: Array(bare.utf8)).status == 404)
      for path in ["alerts?state=odd", "alerts?limit=0", "deliveries?state=x", "alerts/x"] {
        #expect(try await agent.client.send("GET", path).status == 400, "\(path)")
      }
    }
  }

  @Test func `rules and notifiers change with a reload`() async throws {
    try await with([]) { agent in
      try await agent.run()
      try await publish(agent, [1])
      try agent.settings(
        modules: ["ticker"], processes: [:],
        others: [
          "notifications": [
            "rules": [["name": "a", "when": ["event": "alert"], "to": ["log"]]]
          ]
        ])
      let reloaded = try await agent.agent("reload")
      #expect(reloaded.output.contains("notifications"), "\(reloaded.output)\(reloaded.errors)")
      _ = try await eventually("the log is watched") {
        try await agent.client.send("GET", "events/consumers").body["consumers"]?[0]
      }
      try await publish(agent, [2])
      let alerts = try await eventually("an alert") {
        let alerts = try await list(agent, "alerts")
        return alerts.isEmpty ? nil : alerts
      }
      #expect(alerts.count == 1)
    }
  }
}
