import AgentJSON
import AgentModules
import AgentSettings
import AgentSupervision
import Glibc
import Testing

@testable import AgentRuntime

/// A folder of its own for one test, removed with the object.
final class TestFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/agent-runtime-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  deinit { Self.remove(path) }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder += "/\(part)"
      mkdir(folder, 0o755)
    }
    let file = try #require(fopen("\(path)/\(name)", "w"))
    fputs(text, file)
    fclose(file)
    return "\(path)/\(name)"
  }

  func text(_ name: String) -> String? {
    guard let file = fopen("\(path)/\(name)", "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
  }

  func contains(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

  private static func remove(_ path: String) {
    guard let directory = opendir(path) else {
      unlink(path)
      return
    }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { remove("\(path)/\(name)") }
    }
    closedir(directory)
    rmdir(path)
  }
}

/// An agent with one module, `clock`, whose settings a test may change.
final class TestAgent: Sendable {
  static let manifest = """
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

  let folder: TestFolder

  init(manifest: String = TestAgent.manifest) throws {
    folder = try TestFolder()
    try folder.write("modules/clock/module.json", manifest)
  }

  func load(_ settings: String) throws -> AgentSettings {
    try folder.write("settings.json", settings)
    let found = try AgentFolder.locate(settings: "\(folder.path)/settings.json")
    try found.prepare()
    let result = SettingsFile.load(found)
    #expect(result.problems.filter { $0.severity == .error } == [])
    return try #require(result.settings)
  }

  var planner: WorkerPlanner {
    get throws {
      WorkerPlanner(
        installation: Installation(worker: "/bin/true", launcher: "/bin/true"),
        folder: try AgentFolder.locate(settings: "\(folder.path)/settings.json"),
        copies: LibraryCopies(folder: "\(folder.path)/.agent/lib"),
        interpreters: InterpreterPrefixes())
    }
  }

  /// What a host with these settings would run.
  func applied(_ text: String) throws -> Applied {
    let settings = try load(text)
    let planner = try planner
    var planned: [String: WorkerPlanner.Planned] = [:]
    for process in settings.processes {
      planned[process.name] = planner.plan(process, in: settings)
    }
    for module in settings.modules where !module.enabledContributions.isEmpty {
      let plan = planner.plan(module, in: settings)
      planned[plan.spec.name] = plan
    }
    return Applied(settings: settings, planned: planned, inProcess: [])
  }
}
