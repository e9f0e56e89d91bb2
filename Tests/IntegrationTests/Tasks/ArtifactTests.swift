import AgentJSON
import Glibc
import Testing

/// The files that tasks leave, through the API and `agent task artifacts`.
@Suite struct ArtifactFileTests {
  private func with(_ body: (AgentUnderTest, PortClient) async throws -> Void) async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(
        modules: [], processes: [:],
        others: [
          "http": ["listen": "127.0.0.1:0"], "tasks": ["types": ["job": ["executor": "bots"]]],
        ])
      try await agent.run()
      try await body(agent, agent.port())
    }
  }

  private func run(_ agent: AgentUnderTest, _ script: String) async throws -> JSONValue {
    let made = try await agent.client.send(
      "POST", "tasks",
      body: [
        "name": "a", "type": "command", "status": "queued",
        "input": ["program": "sh", "args": ["-c", .string(script)]],
      ])
    let id = made.body["id"]?.string ?? ""
    _ = try await agent.client.send("GET", "tasks/\(id)/wait?wait_ms=60000")
    return try await agent.client.send("GET", "tasks/\(id)").body
  }

  private func token(_ agent: AgentUnderTest, _ more: JSONObject) async throws -> String {
    var body: JSONObject = ["name": "t"]
    for (key, value) in more { body[key] = value }
    let made = try await agent.client.send("POST", "tokens", body: .object(body))
    return try #require(made.body["token"]?.string, "\(made)")
  }

  @Test func `a program's files are kept, whether it succeeds or fails, and links aren't followed`()
    async throws
  {
    try await with { agent, port in
      let task = try await run(
        agent,
        """
        cd $AGENT_ARTIFACTS; printf hello > note.txt; printf '<script>' > page.html; mkdir folder
        ln -s /etc/passwd stolen; mkfifo pipe; head -c 17000000 /dev/zero > large.bin; exit 3
        """)
      #expect(task["status"] == "failed", "\(task)")
      let names = task["artifacts"]?.array?.compactMap { $0["name"]?.string }
      #expect(names == ["note.txt", "page.html"], "\(task)")
      let log = try await agent.client.send("GET", "tasks/1/logs").body.text()
      for name in ["folder", "stolen", "pipe", "large.bin"] {
        #expect(log.contains("The artifact \(name) isn't stored."), "\(log)")
      }
      let token = try await token(agent, ["scopes": ["read"]])
      let note = try await port.send("GET", "/api/v1/tasks/1/artifacts/note.txt", token: token)
      #expect(note.status == 200 && note.text.hasSuffix("\r\n\r\nhello"))
      #expect(note.text.lowercased().contains("content-type: text/plain\r\n"))
      let page = try await port.send("GET", "/api/v1/tasks/1/artifacts/page.html", token: token)
      #expect(page.text.lowercased().contains("content-type: application/octet-stream"), "\(page)")
      #expect(page.text.contains("default-src 'none'; sandbox"), "\(page)")
      let missing = try await agent.client.send("GET", "tasks/1/artifacts/other")
      #expect(missing.status == 404 && missing.error.contains("note.txt, page.html"), "\(missing)")
      let shown = try await agent.agent("task", "artifacts", "1", "--get", "note.txt")
      #expect(shown.output == "hello")
      #expect(try await agent.agent("task", "artifacts", "1").output.contains("text/html"))
      agent.signal(SIGTERM)
      #expect(try await agent.ended() == 0)
      try await agent.run()
      let artifacts = try await eventually("the bytes of artifacts are known") {
        let stored = try await agent.client.send("GET", "status").body["stored"]?["artifacts"]
        return stored?["bytes"] == 0 ? nil : stored
      }
      #expect(artifacts == ["bytes": 13, "max_bytes": JSONValue(4 << 30)])
      let left = try agent.privateNames(of: "artifacts").filter { $0.hasPrefix("run-") }
      #expect(try left.flatMap { try agent.privateNames(of: "artifacts/\($0)") } == [])
    }
  }

  @Test func `files are uploaded, replaced and removed, and removed with their task`() async throws
  {
    try await with { agent, port in
      let made = try await agent.client.send("POST", "tasks", body: ["name": "a", "type": "job"])
      let id = made.body["id"]?.string ?? ""
      let token = try await token(agent, ["scopes": ["operate", "read"]])
      func put(_ name: String, _ text: String, to path: String? = nil) async throws -> Int {
        try await port.send(
          "PUT", path ?? "/api/v1/tasks/\(id)/artifacts/\(name)", token: token, body: text,
          type: "text/csv"
        ).status
      }
      #expect(try await put("a%20b.txt", "one") == 200)
      #expect(try await put("a%20b.txt", "three") == 200)
      #expect(try await put("..%2F..%2Fsettings.json", "{}") == 400)
      #expect(try await put(".hidden", "") == 400)
      #expect(try await put("x", "", to: "/api/v1/tasks/99/artifacts/x") == 404)
      let all = try await agent.client.send("GET", "tasks/\(id)/artifacts")
      #expect(all.body["artifacts"]?.array?.count == 1)
      #expect(all.body["artifacts"]?[0]?["name"] == "a b.txt")
      #expect(all.body["artifacts"]?[0]?["size"] == 5)
      #expect(all.body["artifacts"]?[0]?["media_type"] == "text/csv")
      #expect(try await put("b", "") == 200)
      #expect(try await agent.client.send("DELETE", "tasks/\(id)/artifacts/b").status == 200)
      // One file, under a name that no other attempt has.
      #expect(try agent.privateNames(of: "artifacts/\(id)").count == 1)
      #expect(try await agent.client.send("DELETE", "tasks/\(id)").status == 200)
      #expect(try agent.privateNames(of: "artifacts") == [])
    }
  }

  @Test func `a bot adds files to its own task alone while it has it`() async throws {
    try await with { agent, port in
      let bot = try await agent.client.send(
        "POST", "bots",
        body: ["name": "b", "capabilities": [["name": "c", "task_types": ["job"]]]])
      let id = bot.body["id"]?.string ?? ""
      let own = try await token(agent, ["scopes": ["execute"], "bot": .string(id)])
      let other = try await token(agent, ["scopes": ["execute"], "bot": "bot-other"])
      _ = try await agent.client.send(
        "POST", "tasks", body: ["name": "a", "type": "job", "status": "queued"])
      _ = try await eventually("it is offered") {
        let offers = try await agent.client.send("GET", "bots/\(id)/assignments?wait_ms=1000")
        return offers.body["assignments"]?.array?.first
      }
      #expect(try await agent.client.send("POST", "assignments/1/accept", body: [:]).status == 200)
      func put(_ token: String) async throws -> Int {
        try await port.send(
          "PUT", "/api/v1/assignments/1/artifacts/shot.png", token: token, body: "png",
          type: "application/octet-stream"
        ).status
      }
      #expect(try await put(other) == 403)
      #expect(try await put(own) == 200)
      #expect(
        try await agent.client.send("POST", "assignments/1/complete", body: [:]).status == 200)
      #expect(try await put(own) == 409)
      let all = try await agent.client.send("GET", "tasks/1/artifacts")
      #expect(all.body["artifacts"]?[0]?["media_type"] == "image/png", "\(all)")
    }
  }

  @Test func `artifacts that a killed host left behind are removed by the next`() async throws {
    try await with { agent, _ in
      _ = try await run(agent, "echo kept > $AGENT_ARTIFACTS/a.txt")
      agent.signal(SIGKILL)
      _ = try await agent.ended()
      try agent.folder.write(".agent/artifacts/77/orphan", "x")
      try agent.folder.write(".agent/artifacts/run-old/7-1/half", "x")
      try await agent.run()
      _ = try await eventually("it is swept") {
        let names = try agent.privateNames(of: "artifacts").sorted()
        return names == ["1"] ? true : nil
      }
      #expect(try agent.privateNames(of: "artifacts/1").count == 1)
    }
  }
}

extension AgentUnderTest {
  fileprivate func privateNames(of path: String) throws -> [String] {
    TemporaryFolder.names(in: "\(folder.path)/.agent/\(path)")
  }
}
