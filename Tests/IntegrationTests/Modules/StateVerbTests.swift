import AgentJSON
import Glibc
import Testing

/// `agent state` and the API's routes for it, with the host and without.
@Suite struct StateVerbTests {
  private func with(_ body: (AgentUnderTest) async throws -> Void) async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(modules: ["ticker"], processes: ["t": ["type": "ticks"]])
      try await body(agent)
    }
  }

  /// Sends a request with headers of its own; returns all of the answer.
  private func send(
    _ agent: AgentUnderTest, _ head: String, headers: [String] = [], body: String = ""
  ) async throws -> ManagementClient.Reply {
    let lines =
      ["\(head) HTTP/1.1", "Host: agent", "Connection: close"] + headers
      + (body.isEmpty ? [] : ["Content-Type: application/json"]) + [
        "Content-Length: \(body.utf8.count)", "", body,
      ]
    return try await agent.client.send(raw: Array(lines.joined(separator: "\r\n").utf8))
  }

  @Test func `state is set, compared, listed and removed through the API`() async throws {
    try await with { agent in
      try await agent.run()
      let client = agent.client
      let path = "/api/v1/state/t/a%2Fb"
      let created = try await send(
        agent, "PUT \(path)", headers: ["If-None-Match: *"], body: #"{"n": 1}"#)
      #expect(created.status == 200 && created.body == ["version": 1], "\(created)")
      #expect(
        try await send(agent, "PUT \(path)", headers: ["If-None-Match: *"], body: "2").status == 412
      )
      let changed = try await send(
        agent, "PUT \(path)", headers: [#"If-Match: "1""#], body: #"{"n": 2}"#)
      #expect(changed.body == ["version": 2])
      let conflict = try await send(
        agent, "PUT \(path)", headers: [#"If-Match: "1""#], body: #"{"n": 3}"#)
      #expect(conflict.status == 412)
      #expect(conflict.body["code"] == "precondition_failed")
      #expect(conflict.error.contains("version 2, not 1"))
      #expect(
        try await send(agent, "PUT \(path)", headers: ["If-Match: x"], body: "3").status == 400)
      #expect(try await send(agent, "PUT \(path)", headers: [], body: "{").status == 400)
      #expect(try await client.send("GET", "state/t/a%2Fb").body["value"] == ["n": 2])
      let history = try await client.send("GET", "state/t/a%2Fb?history").body
      #expect(history["versions"]?.array?.count == 2)
      let list = try await client.send("GET", "state/t?prefix=a/&values=false").body
      #expect(list["entries"]?[0]?["bytes"] == 7)
      #expect(try await client.send("GET", "state").body["owners"]?[0]?["owner"] == "t")
      #expect(try await send(agent, "DELETE \(path)", headers: [#"If-Match: "1""#]).status == 412)
      #expect(try await client.send("DELETE", "state/t/a%2Fb").status == 200)
      #expect(try await client.send("DELETE", "state/t/a%2Fb").status == 404)
      #expect(try await client.send("GET", "state/nobody").status == 404)
      #expect(try await client.send("GET", "state/t?limit=0").status == 400)
    }
  }

  /// What the verbs do, whether the agent runs or not.
  private func useVerbs(_ agent: AgentUnderTest) async throws {
    let set = try await agent.agent("state", "edit", "t", "limits", "--value", #"{"floor": 12.50}"#)
    #expect(set.status == 0, "\(set.errors)")
    let shown = try await agent.agent("state", "show", "t", "limits")
    #expect(shown.output == "{\n  \"floor\": 12.50\n}\n", "\(shown.output)")
    #expect(try await agent.json("state", "show", "t", "limits").value["version"] == 1)
    #expect(try await agent.agent("state", "show").output.contains("t "))
    #expect(try await agent.agent("state", "show", "t").output.contains(#"{"floor":12.50}"#))
    for example in [
      (arguments: ["show", "tt"], status: 4, words: "Did you mean \"t\"?"),
      (arguments: ["show", "t", "limit"], status: 4, words: "\"limits\""),
      (arguments: ["edit", "t", "x", "--value", "{a}"], status: 2, words: "line 1, column 2"),
      (
        arguments: ["edit", "nobody", "x", "--value", "1"], status: 4,
        words: "no process \"nobody\""
      ),
      (
        arguments: ["edit", "t", "limits", "--value", "1", "--if-version", "9"], status: 1,
        words: "version 1, not 9"
      ),
      (
        arguments: ["edit", "t", "limits", "--value", "1", "--remove"], status: 2, words: "exclude"
      ),
      (arguments: ["show", "--history"], status: 2, words: "needs a process"),
      (arguments: ["edit", "t", "limits"], status: 2, words: "no terminal"),
    ] {
      let refused = try await agent.agent(["state"] + example.arguments)
      #expect(refused.status == Int32(example.status), "\(example.arguments): \(refused.errors)")
      #expect(refused.errors.contains(example.words), "\(example.arguments): \(refused.errors)")
    }
    #expect(try await agent.agent("state", "edit", "t", "extra", "--value", "1").status == 0)
    let exported = try await agent.agent("state", "export", "t")
    #expect(exported.output.split(separator: "\n").count == 2, "\(exported.output)")
    try agent.folder.write("kept.jsonl", exported.output)
    #expect(try await agent.agent("state", "edit", "t", "extra", "--remove").status == 0)
    #expect(try await agent.agent("state", "edit", "t", "other", "--value", "1").status == 0)
    let imported = try await agent.agent("state", "import", "kept.jsonl", "--replace")
    #expect(
      imported.output == "1 process: 1 set, 1 removed, 1 as they were.\n",
      "\(imported.output)\(imported.errors)")
    #expect(try await agent.agent("state", "export").output.split(separator: "\n").count == 2)
    try agent.folder.write("wrong.jsonl", exported.output + "{\"owner\": \"t\"}\n")
    let wrong = try await agent.piping("wrong.jsonl", into: ["state", "import", "-", "--replace"])
    #expect(wrong.status == 1)
    #expect(wrong.errors.contains("line 3: \"key\" is missing"), "\(wrong.errors)")
    let history = try await agent.agent("state", "show", "t", "extra", "--history")
    #expect(history.output.contains("(removed)"), "\(history.output)")
  }

  @Test func `state verbs work with a running agent`() async throws {
    try await with { agent in
      try await agent.run()
      try await useVerbs(agent)
    }
  }

  @Test func `state verbs work with a stopped agent, which later finds the changes`() async throws {
    try await with { agent in
      let never = try await agent.agent("state", "show")
      #expect(never.status == 4 && never.errors.contains("never ran"), "\(never.errors)")
      try await useVerbs(agent)
      try await agent.run()
      #expect(
        try await agent.client.send("GET", "state/t/limits").body["value"] == ["floor": 12.5])
    }
  }

  @Test func `a request that the host can't read is refused in words`() async throws {
    try await with { agent in
      try await agent.run()
      let long = String(repeating: "y", count: 100_000)
      let refused = try await agent.agent("state", "forget", long)
      #expect(refused.status == 1)
      #expect(refused.errors.contains("refused the request with status 400"), "\(refused.errors)")
      let folder = try await agent.agent("state", "import", agent.folder.path)
      #expect(folder.status == 1 && folder.errors.contains("isn't a file"), "\(folder.errors)")
    }
  }

  @Test func `a process's state is removed whole, but not while it runs`() async throws {
    try await with { agent in
      try await agent.run()
      #expect(try await agent.agent("state", "edit", "t", "a", "--value", "1").status == 0)
      #expect(try await agent.agent("state", "edit", "t", "a", "--value", "2").status == 0)
      let running = try await agent.agent("state", "forget", "t")
      #expect(running.status == 1, "\(running.output)")
      #expect(running.errors.contains("Stop it first: agent process stop t"), "\(running.errors)")
      #expect(try await agent.agent("process", "stop", "t").status == 0)
      let forgotten = try await agent.agent("state", "forget", "t")
      #expect(
        forgotten.output == "The state of t is deleted: 1 key.\n", "\(forgotten.errors)")
      #expect(try await agent.agent("state", "forget", "t").status == 4)
      #expect(try await agent.agent("state", "forget", "tt").errors.contains("Did you mean \"t\""))
      // Nothing is left of before: the first version is 1 again.
      #expect(try await agent.agent("state", "edit", "t", "a", "--value", "3").status == 0)
      #expect(try await agent.json("state", "show", "t", "a").value["version"] == 1)
      let audit = try await agent.client.send("GET", "audit?action=forget_state&outcome=done")
      #expect(audit.body["entries"]?.array?.count == 1)
      agent.signal(SIGTERM)
      #expect(try await agent.ended() == 0)
      #expect(try await agent.json("state", "forget", "t").value == ["keys": 1, "bytes": 2])
    }
  }

  @Test func `an editor changes a value, unless it was changed meanwhile or isn't JSON`()
    async throws
  {
    try await with { agent in
      try await agent.run()
      let temporary = "\(agent.folder.path)/tmp"
      try agent.folder.write("tmp/.keep", "")
      func edit(_ script: String) async throws -> Child.Finished {
        try agent.folder.write("edit.sh", script)
        return try await agent.agent(
          ["state", "edit", "t", "a"],
          variables: ["EDITOR": "sh \(agent.folder.path)/edit.sh", "TMPDIR": temporary])
      }
      #expect(try await edit("echo '[1]' > \"$1\"").status == 0)
      #expect(try await edit(":").output == "Nothing was changed.\n")
      #expect(try await edit("sed -i s/1/2/ \"$1\"").output == "a of t now has version 2.\n")
      #expect(TemporaryFolder.names(in: temporary).filter { $0.hasPrefix("agent-") } == [])
      let broken = try await edit("echo '[' > \"$1\"")
      #expect(broken.status == 2)
      #expect(broken.errors.contains("isn't JSON: line"), "\(broken.errors)")
      #expect(broken.errors.contains("Your text is kept: "), "\(broken.errors)")
      let failed = try await edit("exit 3")
      #expect(failed.status == 1 && failed.errors.contains("nothing was changed"))
      let late = try await edit(
        """
        cd '\(agent.folder.path)' && '\(Places.agent)' state edit t a --value 7
        echo '[3]' > "$1"
        """)
      #expect(late.status == 1)
      #expect(late.errors.contains("has version 3, not 2"), "\(late.errors)")
      let words = late.errors.split { $0 == " " || $0 == "\n" }
      let kept = try #require(words.last)
      #expect(kept.hasPrefix(temporary), "\(kept)")
      #expect(try await agent.client.send("GET", "state/t/a").body["value"] == 7)
    }
  }
}
