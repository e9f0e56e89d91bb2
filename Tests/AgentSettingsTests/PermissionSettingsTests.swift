import AgentModules
import TestSupport
import Testing

@testable import AgentSettings

@Suite struct PermissionSettingsTests {
  private func load(_ permissions: String) throws -> SettingsResult {
    try SettingsFixture().load(
      "{\"enabled_modules\": [\"trades\"], \"modules\": {\"trades\": {\"permissions\": \(permissions)}}}"
    )
  }

  @Test(arguments: [
    (#"{"read": ["/proc/self/root"]}"#, "lies in /proc"),
    (#"{"write": ["/proc"]}"#, "lies in /proc"),
    (#"{"run": ["/usr/bin/\u0000x"]}"#, "holds the character U+0000"),
    (#"{"read": ["/a\u202eb"]}"#, "holds the character U+202E"),
  ])
  func `a path that would be another one when applied is refused with its place`(
    _ permissions: String, _ words: String
  ) throws {
    let result = try load(permissions)
    #expect(result.settings == nil)
    let problem = try #require(result.problems.first { $0.code == "invalid_permission" })
    #expect(problem.description.contains("modules.trades.permissions."))
    #expect(problem.message.contains(words), "\(problem.message)")
  }

  @Test func `a relative path is completed with the agent's folder`() throws {
    let result = try load(#"{"read": ["../shared", "data/./x"]}"#)
    let settings = try #require(result.settings)
    let read = try #require(settings.module("trades")?.manifest.permissions.read)
    let folder = settings.folder.path
    let parent = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
    #expect(read.suffix(2) == ["\(parent)/shared", "\(folder)/data/x"])
  }

  @Test func `a module with network access is refused beside a port without tokens`() throws {
    let fixture = try SettingsFixture()
    let manifest = """
      {"name": "m", "version": "1.0.0", "command": ["python3"], "permissions": {"network": "any"}}
      """
    try fixture.folder.write("modules/m/module.json", manifest)
    let open = "\"http\": {\"allow_local_without_token\": true}"
    let result = try fixture.load("{\"enabled_modules\": [\"m\"], \(open)}")
    #expect(result.problems.map(\.code).contains("module_reaches_api"))
    #expect(try fixture.load("{\"enabled_modules\": [\"m\"]}").settings != nil)
    #expect(try fixture.load("{\"enabled_modules\": [\"trades\"], \(open)}").settings != nil)
  }
}
