import AgentJSON
import Testing

/// Output on a terminal, when its author means harm.
@Suite struct TerminalTests {
  /// A title of the window, a screen that is cleared, a color that conceals, an order of letters
  /// that is turned around, a line of its own, in both alphabets of control characters.
  private static let evil =
    "a\u{1B}]0;OWNED\u{7}\u{1B}[2J\u{9B}8m\u{1B}[8m\u{202E}\u{2066}\u{85}\u{7F}\r\nFORGED LINE\u{E0041}z"
  private static let text = JSONValue.string(evil)
  /// The worst that may be a name.
  private static let name: JSONValue = "a\u{202E}\u{2066}\u{E0041}z"
  /// A type of tasks that a bot may do, and none does.
  private static let types: JSONValue = ["types": ["none": ["executor": "bots"]]]

  /// Each listing, and what it is about, filled in from what ``fill(_:)`` has made.
  private static let listings = [
    "task list", "task show TASK", "task logs TASK", "task explain TASK", "task batches",
    "task types", "task artifacts TASK", "alerts list", "alerts show ALERT", "bot list",
    "bot show BOT", "bot stats", "bot stats BOT", "bot explain WAITING", "bot assignments",
    "schedule list", "schedule show SCHEDULE", "state show", "token list", "user list", "audit",
    "audit verify", "events types", "events consumers", "logs", "logs agent", "notify list",
    "notify deliveries", "metrics", "metrics --prometheus", "diagnostics show", "doctor", "status",
    "features", "module list", "module show ticker", "process list", "validate", "query *",
    "taskbot list-bots", "taskbot status", "taskbot health", "start nobody",
  ]

  @Test func `text from others can't move the cursor or start a line`() async throws {
    try await AgentUnderTest.with { agent in
      let names = try await fill(agent)
      #expect(names.count == 5, "\(names)")
      for listing in Self.listings {
        var words = listing.split(separator: " ").map(String.init)
        for index in words.indices { words[index] = names[words[index]] ?? words[index] }
        if listing.hasPrefix("query") { words += ["--past"] }
        for arguments in [words, words + ["--json"]] {
          let said = try await onTerminal(arguments, agent)
          #expect(
            Self.faults(of: said) == [], "agent \(arguments.joined(separator: " ")):\n\(said)")
        }
      }
    }
  }

  @Test func `a compressed answer is shown`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:], others: ["tasks": Self.types])
      try await agent.run()
      let task: JSONValue = ["name": "job", "type": "none", "input": ["t": "a"]]
      let batch: JSONValue = ["name": "b", "tasks": .array(Array(repeating: task, count: 300))]
      #expect(try await agent.client.send("POST", "task-batches", body: batch).status == 201)
      let list = try await agent.agent("task", "list", "--limit", "1000")
      #expect(list.status == 0 && list.output.split(separator: "\n").count == 301, "\(list.errors)")
    }
  }

  @Test func `output that can't be written is an error, and no cut file`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try agent.folder.write("output/.keep", "")
      // A device without space.
      let said = try await Child(
        ["sh", "-c", "exec \"$0\" features --json > /dev/full", Places.agent],
        in: agent.folder.path, environment: agent.environment,
        output: "\(agent.folder.path)/output/full.out",
        errors: "\(agent.folder.path)/output/full.err", input: "/dev/null"
      ).finished()
      #expect(said.status == 1 && said.errors.contains("can't be written"), "\(said.errors)")
    }
  }

  /// What a terminal would obey, and lines that no layout has made.
  private static func faults(of said: String) -> [String] {
    var faults: [String] = []
    var rest = said.replacing("\r\n", with: "\n")
    // The colors of the command line, and nothing else.
    for code in ["0", "2", "31", "33"] { rest = rest.replacing("\u{1B}[\(code)m", with: "") }
    for scalar in rest.unicodeScalars {
      let isHidden =
        switch scalar.value {
        case 0x0A, 0x09: false
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xE0000...0xE007F: true
        default: false
        }
      if isHidden { faults.append("U+\(String(scalar.value, radix: 16))") }
    }
    let lines = rest.split(whereSeparator: \.isNewline)
    if lines.contains(where: { $0.hasPrefix("FORGED LINE") }) { faults.append("a line") }
    return Array(Set(faults)).sorted()
  }

  private func onTerminal(_ arguments: [String], _ agent: AgentUnderTest) async throws -> String {
    let command = ([Places.agent] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let output =
      "\(agent.folder.path)/terminal-\(arguments.joined(separator: "-").filter(\.isLetter))"
    let terminal = try Child(
      ["/usr/bin/script", "-qec", command, "/dev/null"], in: agent.folder.path,
      environment: [
        "PATH": "/usr/bin:/bin", "HOME": agent.folder.path, "TERM": "xterm", "LANG": "C.UTF-8",
      ], output: output, errors: output)
    _ = try await terminal.finished()
    return terminal.said
  }

  /// An agent that knows the worst of everything; what the listings are asked for, by its word.
  private func fill(_ agent: AgentUnderTest) async throws -> [String: String] {
    let rule: JSONValue = [
      "name": "worst", "when": ["event": "alarm"], "to": ["log"],
      "template": ["title": "{title}", "text": "{title}"],
    ]
    try await agent.addTicker()
    try agent.settings(
      modules: ["ticker"], processes: [:],
      others: [
        "http": ["listen": "127.0.0.1:0"], "notifications": ["rules": [rule]],
        "tasks": Self.types,
      ])
    try await agent.run()
    var names: [String: String] = [:]
    func make(_ path: String, _ body: JSONValue) async throws -> JSONValue {
      let reply = try await agent.client.send("POST", path, body: body)
      #expect(reply.status == 201, "\(path): \(reply.error)")
      return reply.body
    }
    _ = try await make("events", ["type": "alarm", "title": Self.text, "severity": "critical"])
    _ = try await make("events", ["type": "worse", "x": Self.text])
    names["TASK"] = try await make(
      "tasks",
      [
        "name": Self.name, "description": Self.text, "status": "queued", "tags": [Self.name],
        "run_command": "printf 'out\\033[2Jx\\302\\2338m\\n'",
      ])["id"]?.string
    names["WAITING"] = try await make(
      "tasks", ["name": Self.name, "type": "none", "status": "queued"])["id"]?.string
    _ = try await make(
      "task-batches", ["name": Self.name, "tasks": [["name": Self.name, "type": "none"]]])
    names["BOT"] = try await make(
      "bots",
      [
        "name": Self.name, "bot_type": "worker", "metadata": ["a": Self.text],
        "capabilities": [["name": Self.name, "task_types": ["none"]]],
      ])["id"]?.string
    names["SCHEDULE"] = try await make(
      "schedules",
      [
        "name": "worst", "description": Self.text, "every": "1d",
        "task": ["name": Self.name, "type": "none"],
      ])["id"]?.string
    _ = try await agent.client.send(
      "POST", "tokens", body: ["name": Self.name, "scopes": ["read"]])
    let path = "/api/v1/processes/%1B%5D0;OWNED%07%1B%5B2J%0D%0AFORGED%20LINE/start"
    let token = try await agent.client.send(
      "POST", "tokens", body: ["name": "r", "scopes": ["read"]])
    _ = try await agent.port().send("POST", path, token: token.body["token"]?.string)
    names["ALERT"] = try await eventually("an alert") {
      let alerts = try await agent.client.send("GET", "alerts").body["alerts"]?.array
      return alerts?.first?["id"].map { $0.string ?? "\($0.int ?? 0)" }
    }
    _ = try await eventually("the task has ended") {
      let task = try await agent.client.send("GET", "tasks/\(names["TASK"] ?? "")").body
      return task["status"] == "succeeded" ? true : nil
    }
    return names
  }
}
