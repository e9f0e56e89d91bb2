import AgentJSON
import Glibc
import Testing

/// The module `rules`, compiled and run as a user does it.
@Suite struct RuleTests {
  private static let module = "\(Places.repository)/modules/rules"

  /// The module's sources in the agent's folder; the tests' own stay behind.
  private func add(to agent: AgentUnderTest) throws {
    for folder in ["", "/monitors"] {
      for name in TemporaryFolder.names(in: Self.module + folder)
      where name.hasSuffix(".swift") || name == "module.json" {
        let bytes = try TemporaryFolder.bytes(ofFile: "\(Self.module)\(folder)/\(name)")
        try agent.folder.write("modules/rules\(folder)/\(name)", bytes)
      }
    }
  }

  /// The processes that the README shows, by their names.
  private static func examples() throws -> JSONObject {
    let page = String(
      decoding: try TemporaryFolder.bytes(ofFile: "\(module)/README.md"), as: UTF8.self)
    var processes = JSONObject()
    for block in page.split(separator: "```json\n").dropFirst() {
      guard let text = block.split(separator: "```").first else { continue }
      for (name, process) in try JSONValue(parsing: "{\(text)}").object ?? [:] {
        processes[name] = process
      }
    }
    return processes
  }

  @Test func `the README's rules are valid, and mistakes in a rule are reported with their places`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try add(to: agent)
      try agent.folder.write("modules/rules/librules.so", "")
      let examples = try Self.examples()
      #expect(examples.count == 5)
      try agent.settings(modules: ["rules"], processes: examples)
      let valid = try await agent.agent("validate")
      #expect(valid.status == 0, "\(valid.errors)\(valid.output)")
      let mistakes: [(JSONObject, String)] = [
        (["query": "a => cuont()", "message": "m"], "Did you mean count?"),
        (["query": "a", "message": "m", "condition": "n >"], "condition: at 1:"),
        (["query": "a"], "missing key \"message\""),
        (["query": "a", "message": "{n"], "is no template"),
        (["query": "a", "message": "{n:x}"], "{column:duration}"),
        (["query": "a", "message": "m", "kind": "message"], "output"),
        (
          ["query": "a", "message": "m", "kind": "message", "output": ["author": "a"]],
          "nobody would hear"
        ),
        (["query": "a", "message": "m", "severity": "high"], "severity"),
        (["query": "a", "message": "m", "cooldown": 5], "Did you mean \"cooldown_seconds\"?"),
        (
          ["query": "a", "rules": [["query": "b", "message": "m"]]],
          "stands in each of the rules"
        ),
        (["rules": [["query": "b => (", "message": "m"]]], "rules[0].query: at 1:"),
      ]
      for (rule, said) in mistakes {
        var process = rule
        process["type"] = "rule"
        try agent.settings(modules: ["rules"], processes: ["x": .object(process)])
        let result = try await agent.agent("validate")
        let text = result.errors + result.output
        #expect(result.status != 0 && text.contains(said), "\(said) isn't in:\n\(text)")
      }
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a count over a window raises an alert once, and a restart doesn't raise it again`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try add(to: agent)
      let rule: JSONObject = [
        "type": "rule", "query": "trade => count() by pair every 1 second over last 1 hour",
        "condition": "count >= 3", "by": ["pair"], "title": "{pair} is busy",
        "message": "{count} trades of {pair}.", "severity": "critical", "cooldown_seconds": 86_400,
        "output": ["author": "Rules", "room": "ops"],
      ]
      let wrong: JSONObject = [
        "type": "rule", "query": "trade => count() every second", "message": "{cuont}",
      ]
      try agent.settings(
        modules: ["rules"], processes: ["busy": .object(rule), "wrong": .object(wrong)])
      let cache = ["XDG_CACHE_HOME": "\(Places.executables)/sdk-cache"]
      let built = try await agent.background(["build", "rules"], variables: cache)
        .finished(within: .seconds(400))
      #expect(built.status == 0, "\(built.errors)\(built.output)")

      let checked = try await agent.agent("module", "check", "rules")
      #expect(checked.status == 0, "\(checked.output)")

      try await agent.run()
      let failed = try await agent.process("wrong", "is refused") { $0.state == "FAILED" }
      #expect(failed.reason.contains(#"no column "cuont""#), "\(failed)")
      try await trade(agent, "BTC", count: 3)
      try await trade(agent, "ETH", count: 2)
      let alert = try await eventually("there is an alert") {
        try await agent.events("type:alert").first
      }
      #expect(alert["title"] == "BTC is busy" && alert["text"] == "3 trades of BTC.")
      #expect(alert["severity"] == "critical" && alert["state"] == "raised")
      #expect(alert["key"] == "BTC" && alert["row"]?["count"] == 3)
      let message = try await agent.events("type:__message").first
      #expect(message?["message"] == "BTC is busy: 3 trades of BTC.")
      #expect(message?["author"] == ["name": "Rules"] && message?["room"] == ["id": "ops"])
      for (name, event) in [("alert", alert), ("message", message)] {
        try agent.folder.write("event.json", event?.text() ?? "")
        let schema = "\(Places.repository)/SDK/schemas/\(name).event.json"
        let fits = try await agent.agent("schema", "check", schema, "event.json")
        #expect(fits.status == 0, "\(fits.output)\(fits.errors)")
      }

      // Another process of the same rule shows that rows have come after the restart.
      agent.signal(SIGTERM)
      _ = try await agent.ended()
      var other = rule
      other["cooldown_seconds"] = 0
      try agent.settings(
        modules: ["rules"], processes: ["busy": .object(rule), "other": .object(other)])
      try await agent.run()
      try await trade(agent, "BTC", count: 4)
      _ = try await eventually("the other rule has said it twice") {
        let alerts = try await agent.events("type:alert%20source:other")
        return alerts.count > 1 ? true : nil
      }
      let alerts = try await agent.events("type:alert%20source:busy")
      #expect(alerts.count == 1, "\(alerts)")
    }
  }

  private func trade(_ agent: AgentUnderTest, _ pair: String, count: Int) async throws {
    let line = #"{"type": "trade", "pair": "\#(pair)"}"#
    try agent.folder.write(
      "trades.jsonl", Array(repeating: line, count: count).joined(separator: "\n"))
    let published = try await agent.piping("trades.jsonl", into: ["events", "publish", "-"])
    #expect(published.status == 0, "\(published.errors)")
  }
}
