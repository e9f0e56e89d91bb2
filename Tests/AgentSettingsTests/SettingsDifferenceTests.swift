import AgentJSON
import AgentModules
import AgentSettings
import TestSupport
import Testing

/// What happens when one text follows the other.
private func difference(_ old: String, _ new: String) throws -> [String] {
  let fixture = try SettingsFixture()
  func settings(_ text: String) throws -> AgentSettings {
    let result = try fixture.load("{\"enabled_modules\": [\"trades\"], \(text)}")
    return try #require(result.settings, "\(result.lines)")
  }
  let changes = SettingsDifference(old: try settings(old), new: try settings(new)).changes
  return changes.map { "\($0.action.rawValue) \($0.name): \($0.reason)" }
}

private func processes(_ entries: String...) -> String {
  "\"processes\": {\(entries.joined(separator: ","))}"
}

private let monitor = "\"a\": {\"type\": \"trade_frequency\", \"window\": 60}"

@Test func `equal settings restart nothing`() throws {
  #expect(try difference(processes(monitor), processes(monitor)) == [])
  #expect(
    try difference(
      processes(monitor),
      processes(
        "\"a\": {\"window\": 60.0, \"type\": \"trade_frequency\", \"notify\": true,"
          + " \"description\": \"new\"}")) == [])
}

@Test func `processes start, stop and restart, each with a reason`() throws {
  #expect(
    try difference(
      processes(
        monitor, "\"b\": {\"type\": \"krakenfx\"}",
        "\"c\": {\"type\": \"krakenfx\", \"enabled\": false}"),
      processes(
        "\"a\": {\"type\": \"trade_frequency\", \"window\": 30, \"limits\": {\"files\": 64}}",
        "\"c\": {\"type\": \"krakenfx\"}", "\"d\": {\"type\": \"krakenfx\"}"))
      == [
        "stop b: It was removed from the settings.",
        "restart a: Its settings changed: window. Its limits changed.",
        "start c: It was enabled.",
        "start d: It is new.",
      ])
}

@Test
func `the settings' permissions are added to the manifest's, and a change restarts the process`()
  throws
{
  let fixture = try SettingsFixture()
  let granted = "\"modules\": {\"trades\": {\"permissions\": {\"read\": [\"/srv/a\", \"data\"]}}}"
  let settings = try #require(
    try fixture.load("{\"enabled_modules\": [\"trades\"], \(granted), \(processes(monitor))}")
      .settings)
  let plain = try #require(try fixture.load("{\"enabled_modules\": [\"trades\"]}").settings)
  let own = try #require(plain.module("trades")?.manifest.permissions.read)
  let both = try #require(settings.module("trades")?.manifest.permissions.read)
  #expect(both == own + ["/srv/a", settings.folder.path + "/data"])
  #expect(settings.processes.first?.module.permissions.read == both)
  #expect(
    try difference(processes(monitor), granted + "," + processes(monitor))
      .contains("restart a: Its module's permissions changed."))
}

@Test func `a module's restart policy is a default that the settings override`() throws {
  let module = """
    {"name": "m", "version": "1.0.0", "command": ["python3", "main.py"], "processes": {"once": {
      "kind": "datasource", "restart": "transient", "settings": {"type": "object"}}}}
    """
  let fixture = try SettingsFixture()
  try fixture.folder.write("modules/m/module.json", module)
  let settings = try fixture.load(
    """
    {"enabled_modules": ["m"], "processes": {
      "a": {"type": "once"}, "b": {"type": "once", "restart": "permanent"}}}
    """)
  #expect(settings.settings?.process("a")?.restart == .transient)
  #expect(settings.settings?.process("b")?.restart == .permanent)
}

@Test func `a policy or a setting of the host applies without a restart`() throws {
  #expect(
    try difference(
      processes(monitor),
      processes(
        "\"a\": {\"type\": \"trade_frequency\", \"window\": 60, \"restart\": \"transient\"}")
        + ", \"logging\": {\"level\": \"debug\"}")
      == [
        "apply a: Its restart or reload policy changed.",
        "apply logging: The logging settings changed.",
      ])
}

@Test func `a contribution's settings restart only the module's service worker`() throws {
  let modules = { (minutes: Int) in
    "\"modules\": {\"trades\": {\"logic_adapters\": {\"trades_counter\":"
      + " {\"settings\": {\"minutes\": \(minutes)}}}}}"
  }
  #expect(
    try difference(processes(monitor) + ", " + modules(1), processes(monitor) + ", " + modules(2))
      == ["restart module:trades: Changed: logic adapter trades_counter."])
}

@Test func `an event port is opened and closed without a restart`() throws {
  let port = #""events": {"tcp": {"listen": "127.0.0.1:17042"}}"#
  #expect(
    try difference(#""events": {}"#, port) == ["apply events: The port for events changed."])
  #expect(
    try difference(port, #""events": {"retention": {"max_events": 5}}"#) == [
      "apply events: The retention of events changed. The port changed too."
    ])
}
