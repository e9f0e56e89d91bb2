import AgentJSON
import Glibc
import Testing

/// `agent user`, `agent token` and `agent audit`, with the host and without.
@Suite struct AccessVerbTests {
  private func piping(
    _ text: String, to agent: AgentUnderTest, _ arguments: String...
  ) async throws -> Child.Finished {
    try agent.folder.write("input", text + "\n")
    return try await agent.piping("input", into: arguments)
  }

  /// What the verbs do, whether the agent runs or not. Leaves one administrator, and a token.
  private func useVerbs(_ agent: AgentUnderTest) async throws {
    func add(_ name: String, _ role: String) async throws -> Child.Finished {
      try await piping(
        "correct horse", to: agent, "user", "add", name, "--role", role, "--password-stdin")
    }
    let added = try await add("ada", "administrator")
    #expect(added.output == "ada may sign in as administrator.\n", "\(added.errors)")
    #expect(try await add("bob", "viewer").status == 0)
    let twice = try await add("ADA", "viewer")
    #expect(twice.status == 1 && twice.errors.contains("a user \"ADA\" already"), "\(twice.errors)")
    #expect(try await add("eve", "king").errors.contains("king"))
    let short = try await piping("short", to: agent, "user", "change", "bob", "--password-stdin")
    #expect(short.status == 1 && short.errors.contains("8"), "\(short.errors)")
    let made = try await agent.agent(
      "token", "create", "exporter", "--scope", "read", "--scope", "execute", "--expires", "30d")
    #expect(made.status == 0 && made.output.hasPrefix("bulkhead_"), "\(made.errors)")
    #expect(made.output.split(separator: "\n").count == 1)
    let id = String(made.output.dropFirst("bulkhead_".count).prefix { $0 != "_" })
    #expect(made.errors.contains("agent token revoke \(id)"))
    let own = try await agent.json("token", "create", "bobs", "--scope", "read", "--user", "bob")
    #expect(own.value["subject"] == "bob")
    let much = try await agent.agent(
      "token", "create", "x", "--scope", "operate", "--user", "bob")
    #expect(much.errors.contains("bob is a viewer, who may not operate."), "\(much.errors)")
    #expect(
      try await agent.agent("token", "create", "x", "--scope", "read", "--expires", "soon").status
        == 2)
    let changed = try await agent.agent("user", "change", "bob", "--role", "operator")
    #expect(changed.output == "bob is operator, and must sign in again.\n", "\(changed.errors)")
    // With the role the token went that came from it.
    let list = try await agent.json("token", "list").value
    #expect(list["tokens"]?.array?.compactMap { $0["name"]?.string } == ["exporter"])
    #expect(try await agent.json("token", "list", "--all").value["tokens"]?.array?.count == 2)
    #expect(try await agent.agent("token", "revoke", id).status == 0)
    #expect(try await agent.agent("token", "revoke", id).status == 4)
    #expect(try await agent.agent("user", "remove", "bob").output == "bob is removed.\n")
    #expect(try await agent.agent("user", "remove", "bob").status == 4)
    let last = try await agent.agent("user", "remove", "ada")
    #expect(last.status == 1 && last.errors.contains("last administrator"), "\(last.errors)")
    #expect(try await agent.agent("user", "list").output.contains("ada   administrator"))
    try await checkAudit(agent)
  }

  private func checkAudit(_ agent: AgentUnderTest) async throws {
    let lines = try await agent.json("audit", "-n", "100").value["entries"]?.array ?? []
    let said = lines.map { line in
      [line["action"], line["target"], line["outcome"]].map { $0?.string ?? "" }
        .joined(separator: " ")
    }
    for words in ["add_user ada done", "change_user bob done", "create_token exporter done"] {
      #expect(said.contains(words), "\(words) isn't in \(said)")
    }
    let revoked = lines.first { $0["action"] == "revoke_token" && $0["outcome"] == "done" }
    #expect(revoked?["actor"] == .string("local:\(getuid())"))
    let checked = try await agent.agent("audit", "verify")
    #expect(checked.status == 0, "\(checked.errors)")
    #expect(checked.output.contains("\(lines.count) lines are unaltered."), "\(checked.output)")
    let head = String(checked.output.split(separator: " ").last ?? "").filter(\.isHexDigit)
    #expect(try await agent.agent("audit", "verify", "--head", head).status == 0)
    let other = try await agent.agent("audit", "verify", "--head", "00")
    #expect(other.status == 1 && other.errors.contains("rewritten or removed"), "\(other.errors)")
    func count(_ options: String...) async throws -> Int {
      let answer = try await agent.json(["audit", "show", "-n", "100"] + options)
      return answer.value["entries"]?.array?.count ?? -1
    }
    #expect(try await count("--action", "create_token", "--target", "exporter") == 1)
    #expect(try await count("--actor", "person:nobody") == 0)
    #expect(try await count("--since", "1h", "--until", "2999-01-01 00:00") == lines.count)
    #expect(try await count("--until", "1h") == 0)
    let done = lines.count { $0["outcome"] == "done" }
    #expect(try await count("--outcome", "done") == done)
    let never = try await agent.agent("audit", "show", "--since", "never")
    #expect(never.status == 2 && never.errors.contains("a day such as 2026-11-22"))
    let one = try await agent.agent("audit", "-n", "1").output.split(separator: "\n")
    #expect(one.count == 2, "\(one)")
  }

  @Test func `access verbs work with a running agent`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      try await useVerbs(agent)
    }
  }

  @Test func `a change of the settings is recorded with its keys and without its values`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      let many = (0..<300).map { (key: "key\($0)\n", value: JSONValue.string("hidden")) }
      for patch: JSONValue in [
        ["logging": ["level": "debug"], "agent": ["name": "hidden"], "store": [:]],
        ["agent": .object(JSONObject(many))], [:],
      ] {
        _ = try await agent.client.send("PATCH", "settings?dry_run=true", body: patch)
      }
      let lines = try await agent.json("audit", "--action", "change_settings").value["entries"]
      let targets = (lines?.array ?? []).compactMap { $0["target"]?.string }
      #expect(targets.count == 3 && targets.first == "", "\(targets)")
      #expect(targets.last == "logging.level, agent.name, store")
      let long = try #require(targets.dropFirst().first)
      #expect(long.hasPrefix(#"agent."key0\n", agent."key1\n""#) && long.utf8.count <= 200)
      #expect(lines?.text().contains("hidden") == false)
    }
  }

  @Test func `access verbs work with a stopped agent, which later knows the changes`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      let never = try await agent.agent("user", "list")
      #expect(never.status == 4 && never.errors.contains("never ran"), "\(never.errors)")
      try await useVerbs(agent)
      try await agent.run()
      let users = try await agent.client.send("GET", "users").body["users"]
      #expect(users?.array?.compactMap { $0["name"]?.string } == ["ada"])
    }
  }

  @Test func `an audit line changed, removed or inserted behind the agent's back is found`()
    async throws
  {
    let attacks = [
      ("UPDATE audit SET actor = 'person:eve' WHERE number = 2", "Line 2 was altered"),
      ("DELETE FROM audit WHERE number = 2", "Line 2 is missing; line 3 follows."),
      (
        """
        UPDATE audit SET number = number + 10 WHERE number > 2;
        INSERT INTO audit SELECT 3, timestamp, actor, address, action, target, outcome, detail, hash
          FROM audit WHERE number = 2;
        UPDATE audit SET number = number - 9 WHERE number > 10
        """, "Line 3 was altered"
      ),
      (
        """
        INSERT INTO audit_cut SELECT 1, number, hash FROM audit WHERE number = 3;
        DELETE FROM audit WHERE number <= 3;
        INSERT INTO audit SELECT 2, timestamp, 'person:eve', address, action, target, outcome, detail,
          hash FROM audit WHERE number = 4
        """, "Line 2 was inserted before the first one."
      ),
    ]
    for (statement, words) in attacks {
      try await AgentUnderTest.with { agent in
        try agent.settings(modules: [], processes: [:])
        for name in ["a", "b", "c", "d"] {
          _ = try await agent.agent("token", "create", name, "--scope", "read")
        }
        #expect(try await agent.agent("audit", "verify").status == 0)
        let script = """
          import sqlite3, sys
          store = sqlite3.connect(".agent/store.db")
          for name in ("audit_is_not_changed", "audit_is_not_removed"):
              store.execute(f"DROP TRIGGER {name}")
          store.executescript(sys.argv[1])
          store.commit()
          """
        let attack = try Child(
          ["/usr/bin/env", "python3", "-c", script, statement], in: agent.folder.path,
          environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"],
          output: "\(agent.folder.path)/attack", errors: "\(agent.folder.path)/attack",
          input: "/dev/null")
        let attacked = try await attack.finished()
        #expect(attacked.status == 0, "\(attacked.output)")
        let found = try await agent.agent("audit", "verify")
        #expect(found.status == 1)
        #expect(found.errors.contains(words), "\(found.errors)")
        let json = try await agent.json("audit", "verify")
        #expect(json.status == 1 && json.value["ok"] == false)
      }
    }
  }
}
