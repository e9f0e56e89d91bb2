import AgentModules
package import AgentSettings
import AgentSupervision
package import AgentWorkers
import Testing
package import TestSupport

/// An agent with one module, `clock`, whose settings a test may change.
package final class TestAgent: Sendable {
  package static let manifest = """
    {
      "name": "clock", "version": "0.1.0", "title": "Clock", "abi": 1, "command": ["./clock"],
      "processes": {
        "ticks": {
          "kind": "datasource", "title": "Ticks",
          "settings": {
            "type": "object", "required": ["seconds"],
            "properties": { "seconds": { "type": "integer", "minimum": 1 } },
            "additionalProperties": false
          }
        }
      },
      "logic_adapters": { "time": { "title": "Time", "settings": { "type": "object" } } }
    }
    """

  package let folder: TestFolder

  package init(manifest: String = TestAgent.manifest) throws {
    folder = try TestFolder()
    try folder.write("modules/clock/module.json", manifest)
  }

  package func load(_ settings: String) throws -> AgentSettings {
    try folder.write("settings.json", settings)
    let found = try AgentFolder.locate(settings: "\(folder.path)/settings.json")
    try found.prepare()
    let result = SettingsFile.load(found)
    #expect(result.problems.filter { $0.severity == .error } == [])
    return try #require(result.settings)
  }

  package var planner: WorkerPlanner {
    get throws {
      WorkerPlanner(
        installation: WorkerInstallation(worker: "/bin/true", launcher: "/bin/true"),
        folder: try AgentFolder.locate(settings: "\(folder.path)/settings.json"),
        copies: LibraryCopies(folder: "\(folder.path)/.agent/lib"),
        interpreters: InterpreterPrefixes())
    }
  }
}
