public import AgentModules
internal import AgentSettings

/// Writes a new module into an agent's folder.
public struct NewModule: Sendable {
  private let installation: Installation

  /// Takes templates and SDK from an installation.
  public init(_ installation: Installation) {
    self.installation = installation
  }

  /// What was written, and what to do next.
  public struct Report: Sendable {
    /// The module's name.
    public let name: String
    /// The agent's folder.
    public let agent: String
    /// The files, relative to the agent's folder. A folder of the SDK is one entry, with a slash at
    /// its end.
    public let files: [String]
    /// What to add to `settings.json`, as text.
    public let entry: String
    /// True when `settings.json` has it now.
    public let isEnabled: Bool
    /// What is wrong with the example's settings or the agent's: nothing, unless the agent had
    /// errors before.
    public let problems: [Problem]
    /// The next command.
    public let next: String

    /// False when the settings have errors.
    public var isValid: Bool { !problems.hasErrors }
  }

  /// The agent's folder for somebody who is in `directory`: that folder, or the nearest above it
  /// that has a `settings.json`.
  public static func agentFolder(from directory: String) throws(ScaffoldError) -> String {
    let start = FileSystem.realPath(directory) ?? directory
    var folder = start
    while !FileSystem.exists(FileSystem.join(folder, "settings.json")) {
      let parent = FileSystem.parent(folder)
      guard parent != folder, folder != "/", !folder.isEmpty else {
        throw ScaffoldError(
          .noAgent,
          "There is no settings.json in \(start) or above it. Go to an agent's folder, or create "
            + "one with create-agent."
        )
      }
      folder = parent
    }
    return folder
  }

  /// Writes `modules/NAME`. An empty one offers nothing; otherwise it is a sample that works.
  public func create(
    _ name: String, from directory: String, language: ModuleLanguage = .swift,
    isEmpty: Bool = false, enable: Bool = false
  ) throws(ScaffoldError) -> Report {
    let name = try ModuleName(name)
    let agent = try Self.agentFolder(from: directory)
    let files = try write(name, to: agent, language: language, isEmpty: isEmpty)
    let folder = FileSystem.join("modules", name.text)
    let example = FileSystem.join(folder, "settings.example.json")
    let entry = try SettingsEntry(module: name.text, example: FileSystem.join(agent, example))
    var problems = SettingsFile.load(path: example, from: agent).worthSaying
    if enable {
      try entry.add(toSettingsOf: agent)
      problems += SettingsFile.load(from: agent).worthSaying.filter { !problems.contains($0) }
    }
    let build = language == .python ? "" : "agent build \(name.text) && "
    return Report(
      name: name.text, agent: agent, files: files.map { FileSystem.join(folder, $0) },
      entry: entry.text, isEnabled: enable, problems: problems,
      next: "\(build)agent run --settings \(example)")
  }

  private func write(
    _ name: ModuleName, to agent: String, language: ModuleLanguage, isEmpty: Bool
  ) throws(ScaffoldError) -> [String] {
    let kind = isEmpty ? "module-empty" : "module"
    var template = try Template(
      folder: FileSystem.join(installation.templates, "\(kind)/\(language.rawValue)"))
    if language == .python {
      try template.add(
        folder: FileSystem.join(installation.sdk, "python/agent_module"), as: "agent_module")
    }
    let modules = FileSystem.join(agent, "modules")
    try Folder.make(modules)
    return try template.write(
      to: FileSystem.join(modules, name.text),
      replacing: ["name": name.text, "Name": name.swiftName, "sdk": installation.sdk])
  }
}

extension SettingsResult {
  /// Problems but for libraries that aren't built yet: the next command builds them.
  var worthSaying: [Problem] {
    problems.filter { $0.code != "library_missing" }
  }
}
