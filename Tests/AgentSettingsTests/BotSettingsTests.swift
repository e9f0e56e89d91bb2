import AgentAssignment
import AgentJSON
import AgentSettings
import Testing

/// `bots`: how they are kept, and which the agent has itself.
@Suite struct BotSettingsTests {
  private func load(_ bots: String, isolation: String = "worker") throws -> SettingsResult {
    try SettingsFixture().load(
      """
      {"enabled_modules": ["trades", "talk"], "modules": {"trades": {"isolation": "\(isolation)"}},
       "processes": {"feed": {"type": "krakenfx"}, "bot": {"type": "chatbot"}},
       "bots": \(bots)}
      """)
  }

  @Test func `an omitted setting has the schema's default`() throws {
    let result = try load("{}")
    let bots = try #require(result.settings?.bots)
    #expect(bots == BotSettings())
    func value(_ key: String) throws -> JSONValue? {
      result.composedSchema.value(
        at: try JSONPointer("/properties/bots/properties/\(key)/default"))
    }
    #expect(try value("strategy")?.string == bots.strategy)
    #expect(try value("answer_within") == "5m" && bots.answerWithinMs == 300_000)
    #expect(try value("lease") == "1m" && bots.leaseMs == 60_000)
    #expect(try value("heartbeat_timeout") == "90s" && bots.heartbeatTimeoutMs == 90_000)
  }

  @Test func `every setting of bots is read`() throws {
    let bots = try #require(
      load(
        """
        {"types": ["auditor"], "strategy": "round_robin", "answer_within": "30s", "lease": "5s",
         "heartbeat_timeout": "10s",
         "local": {
           "exporter": {"action": "trades/export_trades", "process": "feed", "bot_type": "auditor",
             "max_concurrent_tasks": 2, "priority_preference": ["high"],
             "capabilities": [{"name": "export", "task_types": ["export", "dump"], "priority_boost": 3}]},
           "second": {"name": "The second", "action": "trades/export_trades",
             "capabilities": [{"name": "c", "task_types": ["t"]}]}}}
        """
      ).settings?.bots)
    #expect(bots.types == ["auditor"] && bots.strategy == "round_robin")
    #expect(bots.answerWithinMs == 30_000 && bots.leaseMs == 5_000)
    #expect(bots.heartbeatTimeoutMs == 10_000)
    let first = try #require(bots.local.first)
    #expect(first.name == "exporter" && first.module == "trades" && first.action == "export_trades")
    #expect(first.process == "feed" && first.definition.name == "exporter")
    #expect(first.definition.type == BotType("auditor") && first.definition.maxConcurrentTasks == 2)
    #expect(first.definition.capabilities.map(\.taskTypes) == [["export", "dump"]])
    #expect(bots.local.last?.definition.name == "The second" && bots.local.last?.process == nil)
  }

  private static let rest = #""capabilities": [{"name": "c", "task_types": ["t"]}]"#

  @Test(arguments: [
    (#"{"types": ["worker"]}"#, "reserved_name", "\"worker\" is built in"),
    (#"{"strategy": "best_fitt"}"#, "unknown_strategy", "Did you mean \"best_fit\"?"),
    (#"{"local": {"a": {"action": "trades/export_trade", R}}}"#, "unknown_action", "export_trades"),
    (#"{"local": {"a": {"action": "export_trades", R}}}"#, "unknown_action", "MODULE/ACTION"),
    (
      #"{"types": ["auditor"], "local": {"a": {"action": "trades/export_trades", "bot_type": "auditr", R}}}"#,
      "unknown_name", "Did you mean \"auditor\"?"
    ),
    (
      #"{"local": {"a": {"action": "trades/export_trades", "bot_type": "user", R}}}"#,
      "invalid_value", "a user is a person"
    ),
    (
      #"{"local": {"a": {"action": "trades/export_trades", "process": "fed", R}}}"#,
      "unknown_process", "Did you mean \"feed\"?"
    ),
    (
      #"{"local": {"a": {"action": "trades/export_trades", "process": "bot", R}}}"#,
      "wrong_module", "a process of the module talk"
    ),
    (
      #"{"pools": {"p": {"process": "fed", "max": 2}}}"#, "unknown_process",
      "Did you mean \"feed\"?"
    ),
    (#"{"pools": {"p": {"process": "feed", "max": 2}}}"#, "no_bot", "Add one to bots.local"),
    (
      #"{"local": {"a": {"action": "trades/export_trades", "process": "feed", R}}, "pools": {"p": {"process": "feed", "min": 3, "max": 2}}}"#,
      "invalid_value", "the fewest"
    ),
    (
      #"{"local": {"p-2": {"action": "trades/export_trades", "process": "feed", R}}, "pools": {"p": {"process": "feed", "max": 2}}}"#,
      "reserved_name", "there is a \"p-2\" already"
    ),
  ])
  func `an impossible setting is refused with its place`(bots: String, code: String, words: String)
    throws
  {
    let result = try load(bots.replacing("R}", with: Self.rest + "}"))
    #expect(result.settings == nil)
    #expect(result.codes == [code], "\(result.lines)")
    #expect(result.lines.first?.hasPrefix("settings.json:3:") == true)
    #expect(result.lines.first?.contains(words) == true, "\(result.lines)")
  }

  @Test(arguments: [
    "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e308", "-1", "0", "257",
  ])
  func `a size of a pool that its schema refuses is refused, and makes no processes`(
    size: String
  ) throws {
    for key in ["min", "max"] {
      let sizes = key == "max" ? "\"max\": \(size)" : "\"max\": 2, \"min\": \(size)"
      let result = try load(
        """
        {"local": {"a": {"action": "trades/export_trades", "process": "feed", \(Self.rest)}},
         "pools": {"p": {"process": "feed", \(sizes)}}}
        """)
      // The fewest may be none.
      guard key == "max" || size != "0" else { continue }
      #expect(result.settings == nil, "\(key) \(size)")
      #expect(result.lines.first?.hasPrefix("settings.json:4:") == true, "\(result.lines)")
    }
  }

  @Test func `a pool's instances are processes that the pool starts`() throws {
    let settings = try #require(
      load(
        """
        {"local": {"a": {"action": "trades/export_trades", "process": "feed", \(Self.rest)}},
         "pools": {"p": {"process": "feed", "max": 2, "target_queue_time": "3s"}}}
        """
      ).settings)
    #expect(settings.processes.map(\.name) == ["p-1", "p-2", "bot"])
    #expect(settings.process("p-2")?.pool == "p" && settings.process("p-2")?.key == "feed")
    #expect(settings.process("p-1")?.enabled == false)
    let pool = try #require(settings.bots.pools.first)
    #expect(pool.min == 0 && pool.max == 2 && pool.targetQueueTimeMs == 3_000)
    #expect(pool.growAfterMs == 10_000 && pool.shrinkAfterMs == 60_000)
  }

  @Test func `a change of bots is applied while the agent runs`() throws {
    let fixture = try SettingsFixture()
    let old = try #require(try fixture.load(#"{"bots": {"lease": "5s"}}"#).settings)
    let new = try #require(try fixture.load(#"{"bots": {"lease": "6s"}}"#).settings)
    let changes = SettingsDifference(old: old, new: new).changes
    #expect(changes.map(\.name) == ["bots"] && changes.first?.action == .apply)
  }
}
