import AgentModules
import AgentSettings
import TestSupport
import Testing

/// What a host in safe mode uses of settings with errors.
@Suite struct SafeSettingsTests {
  /// Reads a settings file, and returns what safe mode uses of it.
  private func safe(_ text: String) throws -> AgentSettings {
    let fixture = try SettingsFixture()
    let result = try fixture.load(text)
    #expect(result.settings == nil)
    return result.safeSettings(
      of: try AgentFolder.locate(settings: "\(fixture.folder.path)/settings.json"))
  }

  @Test func `sections without an error are used, and nothing else`() throws {
    let settings = try safe(
      """
      {"agent": {"name": "shop"}, "enabled_modules": ["trades"],
       "processes": {"feed": {"type": "krakenfx"}}, "logging": {"level": "loud"},
       "http": {"listen": "127.0.0.1:9000"}, "supervision": {"stop_timeout_ms": 7}}
      """)
    #expect(settings.agent.name == "shop")
    #expect(settings.processes.isEmpty && settings.modules.isEmpty)
    #expect(settings.logging == LoggingSettings())
    #expect(settings.http.isEnabled && settings.http.listen.port == 9000)
    #expect(settings.supervision.stopTimeoutMs == 7)
  }

  @Test(arguments: [
    #"{"http": {"listen": 5}}"#, #"{"http": {"#, "", "\u{0}", "[]",
    #"{"htttp": {"enabled": false}}"#,
  ])
  func `the port stays closed unless its section is known to be right`(text: String) throws {
    let settings = try safe(text)
    #expect(!settings.http.isEnabled)
    #expect(settings.processes.isEmpty && settings.bots == BotSettings())
  }

  @Test func `a broken manifest leaves the host's sections`() throws {
    let fixture = try SettingsFixture()
    try fixture.folder.write("modules/bad/module.json", "\u{1}{[")
    let result = try fixture.load(
      #"{"enabled_modules": ["bad"], "http": {"listen": "127.0.0.1:9000"}}"#)
    #expect(result.settings == nil)
    let folder = try AgentFolder.locate(settings: "\(fixture.folder.path)/settings.json")
    #expect(result.safeSettings(of: folder).http.listen.port == 9000)
    #expect(result.lines.contains { $0.contains("modules/bad/module.json:1:1") }, "\(result.lines)")
  }

  @Test(arguments: [
    (#"{"supervision": {"safe_mode_after": 5}, "x": 1}"#, 5),
    (#"{"supervision": {"safe_mode_after": 1e308}}"#, 3),
    (#"{"supervision": {"safe_mode_after": -1}}"#, 3), ("{", 3),
  ])
  func `the starts before safe mode are read from settings with errors`(text: String, count: Int)
    throws
  {
    #expect(try SettingsFixture().load(text).safeModeAfter == count)
  }

  @Test func `problems without end are cut, and none of their sections is used`() throws {
    let fixture = try SettingsFixture()
    try fixture.folder.write(".env", String(repeating: "no variable\n", count: 2_000))
    let modules = (0..<2_000).map { "\"m\($0)\"" }.joined(separator: ",")
    let references = (0..<2_000).map { "\"k\($0)\": \"${env:NO_\($0)}\"" }
    let result = try fixture.load(
      """
      {"enabled_modules": [\(modules)], "modules": {\(references.joined(separator: ","))},
       "http": {"listen": "127.0.0.1:9000"}}
      """)
    #expect(result.settings == nil)
    #expect(result.problems.count < 1_000)
    let folder = try AgentFolder.locate(settings: "\(fixture.folder.path)/settings.json")
    #expect(!result.safeSettings(of: folder).http.isEnabled)
  }
}
