import AgentJSON
import Glibc
import Testing

/// Sign-in at the port, and what the audit log records.
@Suite struct SignInTests {
  private func with(_ body: (AgentUnderTest, PortClient) async throws -> Void) async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:], others: ["http": ["listen": "127.0.0.1:0"]])
      try await agent.run()
      try await body(agent, try await agent.port())
    }
  }

  private func add(_ name: String, _ role: String, to agent: AgentUnderTest) async throws {
    let user: JSONValue = [
      "name": .string(name), "role": .string(role), "password": "correct horse",
    ]
    #expect(try await agent.client.send("POST", "users", body: user).status == 201)
  }

  private func signIn(
    _ port: PortClient, name: String, password: String
  ) async throws -> PortClient.Reply {
    let body: JSONValue = ["user": .string(name), "password": .string(password)]
    return try await port.send("POST", "/api/v1/sessions", body: body.text())
  }

  @Test func `a user has the role's permissions until signing out`() async throws {
    try await with { agent, port in
      try await add("ada", "viewer", to: agent)
      let answer = try await signIn(port, name: "Ada", password: "correct horse")
      #expect(answer.status == 201, "\(answer.text)")
      let token = try #require(answer.body["token"]?.string)
      let who = try await port.send("GET", "/api/v1/sessions/current", token: token)
      #expect(who.body["name"] == "ada" && who.body["scopes"] == ["read"], "\(who.text)")
      #expect(try await port.send("GET", "/api/v1/status", token: token).status == 200)
      #expect(try await port.send("GET", "/api/v1/users", token: token).status == 403)
      #expect(try await port.send("POST", "/api/v1/stop", token: token).status == 403)
      let out = try await port.send("DELETE", "/api/v1/sessions/current", token: token)
      #expect(out.status == 204, "\(out.text)")
      #expect(try await port.send("GET", "/api/v1/status", token: token).status == 401)
      let lines = try await agent.client.send("GET", "audit?actor=person:ada").body["entries"]
      let said = lines?.array?.map { line in
        [line["action"], line["outcome"], line["address"]].map { $0?.string ?? "" }
          .joined(separator: " ")
      }
      #expect(
        said == [
          "sign_out done 127.0.0.1", "stop_agent forbidden 127.0.0.1", "sign_in done 127.0.0.1",
        ])
    }
  }

  @Test func `a token's owner may see and end the session, whatever the token's scope`()
    async throws
  {
    try await with { agent, port in
      let order: JSONValue = ["name": "caller", "scopes": ["execute"]]
      let made = try await agent.client.send("POST", "tokens", body: order)
      let token = try #require(made.body["token"]?.string)
      let path = "/api/v1/sessions/current"
      let who = try await port.send("GET", path, token: token)
      #expect(who.status == 200 && who.body["scopes"] == ["execute"], "\(who.text)")
      #expect(try await port.send("GET", "/api/v1/status", token: token).status == 403)
      #expect(try await port.send("GET", path).status == 401)
      #expect(try await port.send("DELETE", path, token: token).status == 204)
      #expect(try await port.send("GET", path, token: token).status == 401)
    }
  }

  @Test func `an unknown name is answered like a wrong password, and guessing is slowed down`()
    async throws
  {
    try await with { agent, port in
      try await add("ada", "viewer", to: agent)
      let wrong = try await signIn(port, name: "ada", password: "correct house")
      let unknown = try await signIn(port, name: "eve", password: "correct house")
      #expect(wrong.status == 401 && unknown.status == 401)
      #expect(wrong.body["detail"] == unknown.body["detail"])
      #expect(wrong.body["code"] == unknown.body["code"])
      // All at once: only as many are compared as may fail.
      let guesses = try await withThrowingTaskGroup(of: PortClient.Reply.self) { group in
        for _ in 0..<12 {
          group.addTask { try await signIn(port, name: "mallory", password: "guess guess") }
        }
        return try await group.reduce(into: [PortClient.Reply]()) { $0.append($1) }
      }
      #expect(guesses.count { $0.status == 401 } <= 6)
      let late = try #require(guesses.first { $0.status == 429 })
      #expect(late.text.lowercased().contains("\r\nretry-after: "), "\(late.text)")
      let names = try await agent.client.send("GET", "audit?action=sign_in").body["entries"]
      #expect(names?.array?.count == 1)
      #expect(names?.array?.allSatisfy { $0["target"] == "" } == true)
    }
  }

  @Test func `many simultaneous sign-ins succeed or are told to retry`() async throws {
    try await with { agent, port in
      try await add("ada", "viewer", to: agent)
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<24 {
          group.addTask { try await signIn(port, name: "ada", password: "correct horse").status }
        }
        return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
      }
      #expect(statuses.contains(201) && statuses.isSubset(of: [201, 429]), "\(statuses)")
    }
  }

  @Test func `the first start's link is shown on a terminal alone and works once`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:], others: ["http": ["listen": "127.0.0.1:0"]])
      // `script` gives the agent a terminal of its own.
      let terminal = try Child(
        ["/usr/bin/script", "-qec", "'\(Places.agent)' run", "/dev/null"], in: agent.folder.path,
        environment: ["PATH": "/usr/bin:/bin", "HOME": agent.folder.path],
        output: "\(agent.folder.path)/terminal", errors: "\(agent.folder.path)/terminal")
      let secret = try await eventually("the link is shown", said: { terminal.said }) {
        () -> String? in
        guard let start = terminal.said.range(of: "/setup#") else { return nil }
        let rest = terminal.said[start.upperBound...]
        return rest.contains(where: \.isNewline) ? String(rest.prefix { !$0.isWhitespace }) : nil
      }
      #expect(try agent.folder.text(".agent/setup-secret") == secret + "\n")
      #expect(try agent.folder.mode(of: ".agent/setup-secret") & 0o777 == 0o600)
      let port = try await agent.port()
      let body: JSONValue = [
        "secret": .string(secret), "name": "ada", "password": "correct horse",
      ]
      let made = try await port.send("POST", "/api/v1/setup", body: body.text())
      #expect(made.status == 201 && made.body["role"] == "administrator", "\(made.text)")
      let again = try await port.send("POST", "/api/v1/setup", body: body.text())
      #expect(again.status == 409, "\(again.text)")
      #expect(!agent.folder.exists(".agent/setup-secret"))
      #expect(try await signIn(port, name: "ada", password: "correct horse").status == 201)
      #expect(try await agent.agent("stop").status == 0)
      _ = try await terminal.finished()
      for name in TemporaryFolder.names(in: "\(agent.folder.path)/.agent/logs") {
        #expect(try !agent.folder.text(".agent/logs/\(name)").contains(secret), "\(name)")
      }
    }
  }
}
