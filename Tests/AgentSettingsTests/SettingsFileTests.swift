import AgentJSON
import AgentModules
import AgentSettings
import TestSupport
import Testing

@Test func `empty settings are complete`() throws {
  let settings = try #require(try SettingsFixture().load("{}").settings)
  #expect(settings.processes.isEmpty && settings.modules.isEmpty)
  #expect(settings.supervision == SupervisionSettings())
  #expect(settings.logging == LoggingSettings())
  #expect(settings.agent.name == settings.folder.lastName)
}

@Test func `a process gets its own keys with defaults, separate from the host's`() throws {
  let result = try SettingsFixture().loadProcess(
    """
    "type": "trade_frequency", "description": "fast trades", "window": 60,
    "environment": {"TZ": "UTC"}, "limits": {"memory": "256MB", "cpu": 0.5},
    "restart": "transient", "sandbox": "required"
    """)
  #expect(result.lines == [])
  let process = try #require(result.settings?.process("x"))
  #expect(process.settings == ["window": 60, "threshold": 2.5, "notify": true])
  #expect(process.module.name == "trades" && process.contribution.name == "trade_frequency")
  #expect(process.enabled && process.restart == .transient && process.sandbox == .required)
  #expect(process.limits.memory == 256 << 20 && process.limits.cpu == 0.5)
  #expect(process.environment == ["TZ": "UTC"])
  #expect(process.place?.line == 1)
}

@Test func `the host's sections are read`() throws {
  let settings = try #require(
    try SettingsFixture().load(
      """
      {
        "agent": {"name": "desk", "description": "watches"},
        "supervision": {"healthy_after": 2.5, "backoff": {"initial_ms": 5}, "stop_timeout_ms": 7},
        "logging": {"level": "debug", "format": "json", "file": "log/agent.jsonl", "forward": "log",
                    "rotation": {"max_bytes": "1MB", "max_age_days": 1, "keep": 2}}
      }
      """
    ).settings)
  #expect(settings.agent.name == "desk")
  #expect(settings.supervision.healthyAfter == 2.5 && settings.supervision.backoff.initialMs == 5)
  #expect(settings.supervision.stopTimeoutMs == 7 && settings.supervision.backoff.maxMs == 60_000)
  #expect(settings.logging.level == .debug && settings.logging.format == .json)
  #expect(settings.logging.file == settings.folder.path + "/log/agent.jsonl")
  #expect(settings.logging.rotation.maxBytes == 1 << 20 && settings.logging.forward == "log")
}

@Test func `the schema's defaults are the program's`() throws {
  let schema = try SettingsFixture().load("{}").composedSchema
  func value(_ path: String) throws -> JSONValue? {
    schema.value(at: try JSONPointer("/properties/" + path + "/default"))
  }
  let supervision = SupervisionSettings()
  #expect(try value("supervision/properties/healthy_after")?.double == supervision.healthyAfter)
  #expect(try value("supervision/properties/max_restarts")?.int == supervision.maxRestarts)
  #expect(try value("supervision/properties/within")?.double == supervision.within)
  for (key, number) in [
    ("ping_interval_ms", supervision.pingIntervalMs),
    ("ping_timeout_ms", supervision.pingTimeoutMs),
    ("ready_timeout_ms", supervision.readyTimeoutMs),
    ("stop_timeout_ms", supervision.stopTimeoutMs),
    ("kill_timeout_ms", supervision.killTimeoutMs),
    ("invoke_timeout_ms", supervision.invokeTimeoutMs),
    ("backoff/properties/initial_ms", supervision.backoff.initialMs),
    ("backoff/properties/max_ms", supervision.backoff.maxMs),
  ] {
    #expect(try value("supervision/properties/" + key)?.int == number, "\(key)")
  }
  let logging = LoggingSettings()
  #expect(try value("logging/properties/level")?.string == logging.level.rawValue)
  #expect(try value("logging/properties/format")?.string == logging.format.rawValue)
  let rotation = "logging/properties/rotation/properties/"
  #expect(try value(rotation + "max_bytes")?.int == logging.rotation.maxBytes)
  #expect(try value(rotation + "max_age_days")?.double == logging.rotation.maxAgeDays)
  #expect(try value(rotation + "keep")?.int == logging.rotation.keep)
}

@Test(arguments: [
  (
    "\"type\": \"trade_frequency\", \"window\": \"60\"", "wrong_type",
    "2:38: processes.x.window: expected an integer, found \"60\". Remove the quotes."
  ),
  (
    "\"type\": \"trade_frequency\", \"lable\": \"\", \"window\": 1", "unknown_key",
    "2:28: processes.x: unknown key \"lable\". Did you mean \"label\"?"
  ),
  ("\"type\": \"trade_frequency\"", "missing_key", "1:60: processes.x: missing key \"window\""),
  (
    "\"type\": \"trade_frequency\", \"window\": 60, \"treshold\": 1", "unknown_key",
    "2:42: processes.x: unknown key \"treshold\". Did you mean \"threshold\"?"
  ),
  (
    "\"type\": \"krakenfxx\"", "unknown_type",
    "2:9: processes.x.type: no module offers a process \"krakenfxx\". Did you mean \"krakenfx\"?"
  ),
  (
    "\"type\": \"export_trades\"", "wrong_kind",
    "2:9: processes.x.type: \"export_trades\" is an action of the module \"trades\", not a process."
  ),
  (
    "\"type\": \"krakenfx\", \"limits\": {\"memory\": \"lots\"}", "invalid_size",
    "2:42: processes.x.limits.memory: expected bytes, or a size such as \"256MB\", found \"lots\"."
  ),
  (
    "\"type\": \"krakenfx\", \"limits\": {\"processes\": 0}", "invalid_value",
    "2:45: processes.x.limits.processes: expected at least 1, found 0"
  ),
  ("\"type\": \"krakenfx\", \"restart\": \"never\"", "wrong_value", "2:32: processes.x.restart:"),
  (
    "\"type\": \"trade_frequency\", \"window\": 1, \"output\": {\"autor\": 1}", "unknown_key",
    "2:52: processes.x.output: unknown key \"autor\". Did you mean \"author\"?"
  ),
  (
    "\"type\": \"chatbot\", \"logic_adapters\": [{\"type\": \"trades_countr\"}]", "unknown_type",
    "2:48: processes.x.logic_adapters[0].type: no module offers a logic adapter"
  ),
  (
    "\"type\": \"chatbot\", \"logic_adapters\": [{\"type\": \"trades_counter\", \"minutes\": \"5\"}]",
    "wrong_type", "2:77: processes.x.logic_adapters[0].minutes: expected an integer, found \"5\"."
  ),
])
func `a mistake in a process is named with its place`(
  members: String, code: String, line: String
) throws {
  let result = try SettingsFixture().loadProcess(members)
  #expect(result.settings == nil)
  #expect(result.codes == [code])
  #expect(result.lines.first?.hasPrefix("settings.json:" + line) == true, "\(result.lines)")
}

@Test func `every problem is reported in one run, in reading order`() throws {
  let result = try SettingsFixture().load(
    """
    {
      "enabled_modules": ["trades", "tlak"],
      "loging": {},
      "processes": {
        "a": {"type": "trade_frequency", "window": "60"},
        "b": {"type": "chatbot"},
        "c": {"window": 1},
        "d": 5
      },
      "modules": {"trade": {}, "trades": {"isolation": "host", "actions": {"exprt_trades": {}}}},
      "supervision": {"backoff": {"initial_ms": 70000}},
      "store": {"port": 1}
    }
    """)
  #expect(
    result.codes == [
      "module_missing", "unknown_key", "wrong_type", "module_not_enabled", "missing_key",
      "wrong_type", "unknown_module", "isolation_needs_library", "unknown_contribution",
      "invalid_value", "unknown_key",
    ], "\(result.lines.joined(separator: "\n"))")
  #expect(result.problems.compactMap(\.place?.line) == [2, 3, 5, 6, 7, 8, 10, 10, 10, 11, 12])
}

@Test func `a process of a disabled module says which module to enable`() throws {
  let result = try SettingsFixture().load(
    "{\"processes\": {\"x\": {\"type\": \"krakenfx\"}, \"y\": {\"type\": \"krakenfx\", \"enabled\": false}}}"
  )
  #expect(result.problems.map(\.severity) == [.error, .warning])
  #expect(
    result.lines.first
      == "settings.json:1:30: processes.x.type: the module \"trades\" offers it but isn't in"
      + " enabled_modules: add it.")
}

@Test func `contributions work with their defaults or report what they need`() throws {
  let result = try SettingsFixture().load(
    """
    {"enabled_modules": ["trades"],
     "modules": {"trades": {"actions": {"export_trades": {"enabled": false}}, "sandbox": "off"}}}
    """)
  let trades = try #require(result.settings?.module("trades"))
  let states = Dictionary(
    uniqueKeysWithValues: trades.contributions.map { ($0.contribution.name, $0) })
  #expect(states["trades_counter"]?.state == .enabled)
  #expect(states["trades_counter"]?.settings == ["minutes": 5])
  #expect(states["trades_search"]?.state == .needsSettings(["index"]))
  #expect(states["export_trades"]?.state == .disabled)
  #expect(trades.sandbox == .off && trades.isolation == .worker)
}

@Test func `a file that can't be read is named`() throws {
  let fixture = try SettingsFixture()
  #expect(fixture.load().codes == ["settings_missing"])
  #expect(try fixture.load(" \n").codes == ["file_empty"])
  let malformed = try fixture.load("{\n  \"agent\": {,}\n}")
  #expect(malformed.lines.first?.hasPrefix("settings.json:2:13: ") == true)
  let folder = SettingsFile.load(path: "modules", from: fixture.folder.path)
  #expect(folder.codes == ["file_is_folder"])
  let nowhere = SettingsFile.load(path: "none/settings.json", from: fixture.folder.path)
  #expect(nowhere.codes == ["folder_missing"])
}

@Test func `a module's example settings belong to the agent above it`() throws {
  let fixture = try SettingsFixture()
  try fixture.folder.write(
    "modules/trades/settings.example.json",
    "{\"enabled_modules\": [\"trades\"], \"processes\": {\"k\": {\"type\": \"krakenfx\"}}}")
  let result = SettingsFile.load(
    path: "modules/trades/settings.example.json", from: fixture.folder.path)
  #expect(result.lines == [])
  #expect(result.settings?.folder.path == fixture.folder.path)
}

@Test func `a broken manifest is reported once, and its processes aren't unknown`() throws {
  let fixture = try SettingsFixture()
  try fixture.folder.write("modules/trades/module.json", "{\"name\": \"trades\"")
  let result = try fixture.load(
    "{\"enabled_modules\": [\"trades\"], \"processes\": {\"k\": {\"type\": \"trades/krakenfx\"}}}")
  #expect(result.problems.map { $0.file.hasSuffix("modules/trades/module.json") } == [true])
}

@Test(arguments: [
  (
    "\"type\": \"krakenfx\", \"enabeld\": false",
    "unknown key \"enabeld\". Did you mean \"enabled\"?"
  ),
  (
    "\"type\": \"krakenfx\", \"limits\": {}, \"memory\": 5",
    "unknown key \"memory\". It belongs into \"limits\"."
  ),
  (
    "\"type\": \"chatbot\", \"logic_adapters\": [{\"type\": \"trades_counter\", \"enabld\": true}]",
    "unknown key \"enabld\". Did you mean \"enabled\"?"
  ),
])
func `the host's keys are accepted where a module's own are checked`(
  members: String, message: String
) throws {
  let result = try SettingsFixture().loadProcess(members)
  #expect(result.problems.map(\.message) == [message])
}

@Test func `the database has a size limit, and one that is too small is refused`() throws {
  #expect(try SettingsFixture().load("{}").settings?.store.maxBytes == 16 << 30)
  let large = try SettingsFixture().load("{\"store\": {\"max_bytes\": \"2GB\"}}")
  #expect(large.settings?.store.maxBytes == 2 << 30)
  for wrong in ["\"1MB\"", "-1", "0", "\"many\"", "1e300"] {
    let result = try SettingsFixture().load("{\"store\": {\"max_bytes\": \(wrong)}}")
    #expect(result.settings == nil, "\(wrong)")
  }
}
