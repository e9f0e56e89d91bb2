import AgentJSON
import Glibc
import Testing

/// Every `--help` ends with an example, and every example works where there is what it names.
@Suite struct HelpTests {
  @Test func `every help ends with an example that works`() async throws {
    try await AgentUnderTest.with { agent in
      let examples = try await examples(of: [], agent)
      #expect(examples.count >= 27, "\(examples.keys.sorted())")
      try await addSystem(to: agent)
      let running = [
        "status", "reload", "logs", "ask", "process list", "process stop", "process start",
        "process restart", "backup", "store compact", "metrics", "events publish", "events types",
        "events tail",
        "query",
        "events consumers", "events forget", "state show", "state edit", "state export",
        "state import", "user add", "user list", "user change", "user remove", "token create",
        "token list", "token revoke", "audit show", "audit verify",
        "alerts list", "alerts show", "alerts ack", "alerts resolve", "notify list",
        "notify test", "notify deliveries", "notify retry",
        "task list", "task show", "task create", "task run", "task execute", "task edit",
        "task cancel", "task retry", "task rerun", "task delete", "task wait", "task logs",
        "task explain", "task types", "task batches", "task batch", "task artifacts",
        "bot list", "bot show", "bot register", "bot status", "bot unregister", "bot stats",
        "bot tasks", "bot inbox", "bot accept", "bot reject", "bot complete", "bot explain",
        "bot run", "bot pools",
        "taskbot register-bot", "taskbot list-bots", "taskbot create-task", "taskbot assign-task",
        "taskbot list-assignments", "taskbot set-strategy", "taskbot status", "taskbot health",
        "schedule list", "schedule show",
        "schedule create", "schedule edit", "schedule delete", "schedule pause",
        "schedule resume", "schedule trigger",
      ]
      let daemon = ["start", "restart", "stop"]
      for verb in examples.keys.sorted() where !(running + daemon).contains(verb) {
        try settle(agent, for: verb)
        try await run(examples[verb] ?? [], of: verb, agent)
      }
      try settle(agent, for: "")
      try await agent.run()
      for verb in running { try await run(examples[verb] ?? [], of: verb, agent) }
      agent.signal(SIGTERM)
      #expect(try await agent.ended() == 0)
      for verb in daemon { try await run(examples[verb] ?? [], of: verb, agent) }
    }
  }

  // MARK: Reading

  /// The words of each verb's example; groups of verbs must have one too, and are left out.
  private func examples(
    of verb: [String], _ agent: AgentUnderTest
  ) async throws -> [String: [String]] {
    let help = try await agent.agent(verb + ["--help"])
    #expect(help.status == 0)
    let last = help.output.split(separator: "\n").last ?? ""
    #expect(last.hasPrefix("Example: agent "), "agent \(verb) --help ends with: \(last)")
    let words = Self.words(last.dropFirst("Example: agent ".count))
    let names = Self.subcommands(in: help.output)
    guard !names.isEmpty else {
      #expect(words.starts(with: verb), "agent \(verb) --help shows: \(last)")
      return [verb.joined(separator: " "): words]
    }
    var all: [String: [String]] = [:]
    for name in names { all.merge(try await examples(of: verb + [name], agent)) { $1 } }
    return all
  }

  private static func subcommands(in help: String) -> [String] {
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(of: "SUBCOMMANDS:") else { return [] }
    return lines[(start + 1)...].prefix { !$0.isEmpty }.compactMap { line in
      line.hasPrefix("   ") ? nil : line.split(separator: " ").first.map(String.init)
    }
  }

  /// The words of a command line; quotes of either kind hold several together.
  private static func words(_ line: Substring) -> [String] {
    guard let start = line.firstIndex(where: { $0 == "\"" || $0 == "'" }) else {
      return line.split(separator: " ").map(String.init)
    }
    let rest = line[line.index(after: start)...]
    let end = rest.firstIndex(of: line[start]) ?? rest.endIndex
    return words(line[..<start]) + [String(rest[..<end])] + words(rest[end...].dropFirst())
  }

  // MARK: Running

  /// A module by the name that the examples use.
  private func addSystem(to agent: AgentUnderTest) async throws {
    let library = try await FixtureBuilder.shared.library(
      "ticker_module.c",
      ["-DNAME=\"system\"", "-DVERSION=\"0.1.0\"", "-DDATASOURCE=\"host_metrics\""])
    try agent.folder.link(library, as: "modules/system/libticker.so")
    try agent.write(Manifests.ticker, of: "system")
    try agent.change("system") { manifest in
      manifest["name"] = "system"
      manifest["version"] = "0.1.0"
      manifest["processes"] = ["host_metrics": manifest["processes"]?["ticks"] ?? .null]
    }
  }

  /// Brings the folder into the state in which a verb has something to do.
  private func settle(_ agent: AgentUnderTest, for verb: String) throws {
    let isWithoutProcess = ["process add", "module disable"].contains(verb)
    let isWithoutModule = ["module enable", "module remove", "module install"].contains(verb)
    try agent.folder.write("order.schema.json", #"{"type": "object"}"#)
    try agent.folder.write("order.json", "{}")
    try agent.folder.write("tasks.json", #"[{"name": "a", "run_command": "true"}]"#)
    try agent.folder.write("state.jsonl", #"{"owner": "machine", "key": "a", "value": 1}"#)
    try agent.settings(
      modules: isWithoutModule ? [] : ["system"],
      processes: isWithoutProcess || isWithoutModule ? [:] : ["machine": ["type": "host_metrics"]])
  }

  private func run(_ words: [String], of verb: String, _ agent: AgentUnderTest) async throws {
    switch verb {
    case "run":
      try await agent.run(Array(words.dropFirst()))
      agent.signal(SIGTERM)
      #expect(try await agent.ended() == 0)
    case "dev":
      let dev = try agent.background(words)
      _ = try await eventually("dev watches", said: { dev.said }) {
        dev.said.contains("Watching") ? true : nil
      }
      dev.signal(SIGINT)
      _ = try await dev.finished()
    case "demo taskbot":
      let demo = try await agent.agent(words)
      #expect(demo.status == 0, "\(demo)")
      #expect(demo.output.contains("OBD2 Specialist: best_fit") && demo.output.contains("P0133"))
      #expect(demo.output.contains("completed_tasks     8"), "\(demo)")
    case "bot run":
      let bot = try agent.background(words)
      _ = try await eventually("the bot is there", said: { bot.said }) {
        bot.said.contains("Ctrl-C stops it") ? true : nil
      }
      bot.signal(SIGINT)
      #expect(try await bot.finished().status == 0)
    case "events tail":
      let tail = try agent.background(words)
      let alert: JSONValue = ["type": "alert", "severity": "high"]
      #expect(try await agent.client.send("POST", "events", body: alert).status == 201)
      _ = try await eventually("tail prints", said: { tail.said }) {
        tail.said.contains("high") ? true : nil
      }
      tail.signal(SIGINT)
      _ = try await tail.finished()
    case "module install":
      try settle(agent, for: "")
      #expect(try await agent.agent("module", "pack", "system").status == 0)
      try settle(agent, for: verb)
      #expect(try await agent.agent("module", "remove", "system").status == 0)
      #expect(try await agent.agent(words).status == 0)
    case "user add", "user hash":
      try agent.folder.write("password", "correct horse\n")
      let piped = try await agent.piping("password", into: words)
      #expect(piped.status == 0, "agent \(words): \(piped.errors)")
    case "module remove":
      #expect(try await agent.agent(words).status == 0)
      try await addSystem(to: agent)
    default:
      let finished = try await agent.agent(words)
      // Nobody answers the question, and the machine has no such unit; that is told, too.
      // Nothing has gone wrong yet that needs somebody.
      let others: [String: Int32] = [
        "ask": 1, "service status": 4, "events forget": 4, "user remove": 4, "token revoke": 4,
        "alerts show": 4, "alerts ack": 4, "alerts resolve": 4, "notify retry": 4,
        "state forget": 4, "task run": 1, "task create": 1, "task show": 4, "task execute": 4,
        "task edit": 4, "task cancel": 4, "task rerun": 4, "task delete": 4, "task wait": 4,
        "task logs": 4, "task artifacts": 4, "task explain": 4, "bot show": 4, "bot status": 4,
        "bot unregister": 4,
        "bot accept": 4, "bot reject": 4, "bot complete": 4, "bot explain": 4,
        "taskbot assign-task": 4, "taskbot create-task": 1,
        "schedule show": 4, "schedule create": 1,
        "schedule edit": 4, "schedule delete": 4, "schedule pause": 4, "schedule resume": 4,
        "schedule trigger": 4,
      ]
      #expect(
        finished.status == 0 || finished.status == others[verb],
        "agent \(words): \(finished.status) \(finished.errors)\(finished.output)")
    }
  }
}
