import AgentModules
import AgentSettings
import Glibc
import Scaffolding
import Testing

@Suite struct ScaffoldingTests {
  let folder: TemporaryFolder
  let installation: Installation

  init() throws {
    folder = try TemporaryFolder()
    installation = try Installation()
  }

  @Test(arguments: ModuleLanguage.allCases)
  func `a new agent's settings are valid and its sample is enabled`(_ language: ModuleLanguage)
    throws
  {
    let report = try NewAgent(installation).create("ada", from: folder.path, language: language)
    #expect(report.problems.isEmpty)
    for file in [
      "README.md", "settings.json", "Package.swift", ".env.example", ".gitignore", "tools/run",
    ] {
      #expect(report.files.contains(file))
    }
    let settings = try #require(SettingsFile.load(from: "\(folder.path)/ada").settings)
    #expect(settings.modules.map(\.manifest.name) == ["logs"])
    #expect(settings.processes.map(\.name) == ["log", "too_many_errors"])
    #expect(access("\(folder.path)/ada/tools/run", X_OK) == 0)
    for placeholder in ["{{name", "{{Name", "{{agent", "{{sdk", "{{bin"] {
      #expect(try folder.filesThatHold(placeholder).isEmpty)
    }
  }

  @Test func `existing files are never overwritten`() throws {
    let agents = NewAgent(installation)
    _ = try agents.create("ada", from: folder.path, isEmpty: true)
    let before = try folder.text("ada/settings.json")
    #expect(throws: ScaffoldError.self) { try agents.create("ada", from: folder.path) }
    #expect(try folder.text("ada/settings.json") == before)
    let modules = NewModule(installation)
    _ = try modules.create("m", from: "\(folder.path)/ada", isEmpty: true)
    let error = #expect(throws: ScaffoldError.self) {
      try modules.create("m", from: "\(folder.path)/ada", language: .c)
    }
    #expect(error?.code == .exists)
  }

  @Test(arguments: ModuleLanguage.allCases)
  func `an empty module has no contributions and no requirements`(_ language: ModuleLanguage) throws
  {
    _ = try NewAgent(installation).create("ada", from: folder.path, isEmpty: true)
    let report = try NewModule(installation).create(
      "m", from: "\(folder.path)/ada", language: language, isEmpty: true)
    #expect(report.problems.isEmpty)
    let (manifest, problems) = Manifest.read(directory: "\(folder.path)/ada/modules/m")
    #expect(!problems.hasErrors)
    #expect(manifest?.contributions.isEmpty == true)
    #expect(manifest?.requires.modules.isEmpty == true)
    for name in ["datasources", "monitors", "logic_adapters", "tests"] {
      #expect(access("\(folder.path)/ada/modules/m/\(name)", X_OK) == 0)
    }
  }

  @Test func `a Python module gets the SDK's package, listed as one folder`() throws {
    _ = try NewAgent(installation).create("ada", from: folder.path, isEmpty: true)
    let report = try NewModule(installation).create(
      "m", from: "\(folder.path)/ada", language: .python, isEmpty: true)
    #expect(report.files.filter { $0.contains("agent_module") } == ["modules/m/agent_module/"])
    let package = "\(folder.path)/ada/modules/m/agent_module"
    for file in ["__init__.py", "py.typed", "worker/worker.py", "testing/host.py"] {
      #expect(access("\(package)/\(file)", R_OK) == 0)
    }
    #expect(access("\(package)/__pycache__", F_OK) != 0)
  }

  @Test func `scaffolding works from the modules folder, and enabling keeps the layout`() throws {
    _ = try NewAgent(installation).create("ada", from: folder.path)
    let before = try folder.text("ada/settings.json")
    let modules = NewModule(installation)
    let shown = try modules.create("one", from: "\(folder.path)/ada/modules")
    #expect(!shown.isEnabled && shown.entry.contains("one/log_file"))
    #expect(try folder.text("ada/settings.json") == before)
    let enabled = try modules.create("two", from: "\(folder.path)/ada", enable: true)
    #expect(enabled.problems.isEmpty)
    let after = try folder.text("ada/settings.json")
    #expect(after.contains("\"two_log\""))
    #expect(after.hasPrefix(String(before.prefix(80))))
    let settings = try #require(SettingsFile.load(from: "\(folder.path)/ada").settings)
    #expect(settings.modules.map(\.manifest.name) == ["logs", "two"])
  }

  @Test func `an invalid name and a place outside an agent are refused`() throws {
    _ = try NewAgent(installation).create("ada", from: folder.path, isEmpty: true)
    for name in ["", "1a", "a b", "../x", "ä", String(repeating: "a", count: 65)] {
      let error = #expect(throws: ScaffoldError.self) {
        try NewModule(installation).create(name, from: "\(folder.path)/ada")
      }
      #expect(error?.code == .invalidName)
    }
    let error = #expect(throws: ScaffoldError.self) {
      try NewModule(installation).create("m", from: folder.path)
    }
    #expect(error?.code == .noAgent)
  }
}
