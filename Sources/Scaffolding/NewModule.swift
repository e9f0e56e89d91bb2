public import AgentModules
internal import AgentSettings

/// A language of new modules.
public enum ModuleLanguage: String, Sendable, CaseIterable {
  /// Swift, with AgentKit.
  case swift
  /// C, with agent_module.h.
  case c
  /// Python, with a copy of the package agent_module.
  case python
}

/// Creates the folder of a new module in an agent's folder.
public struct NewModule: Sendable {
  private let installation: Installation

  /// - Parameter installation: the source of the templates and the SDK.
  public init(_ installation: Installation) {
    self.installation = installation
  }

  /// The result: the written files and the next command.
  public struct Report: Sendable {
    /// The module's name.
    public let name: String
    /// The agent's folder.
    public let agent: String
    /// The written files, relative to the agent's folder. A folder copied from the SDK is one entry
    /// that ends with a slash.
    public let files: [String]
    /// The text to add to `settings.json`.
    public let entry: String
    /// Whether `settings.json` contains the entry now.
    public let isEnabled: Bool
    /// Problems of the example's settings and of the agent's. There are none unless the agent's
    /// settings had errors before.
    public let problems: [Problem]
    /// The command to run next.
    public let next: String

    /// Whether the settings have no errors.
    public var isValid: Bool { !problems.hasErrors }
  }

  /// Returns the agent's folder for a user in `directory`: that folder, or the nearest one above it
  /// with a `settings.json`.
  /// - Throws: `ScaffoldError` with `noAgent` if there is none.
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

  /// Creates `modules/NAME`. The module is a working sample. If `isEmpty` is true, it offers
  /// nothing.
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
  /// The problems without those about libraries that aren't built yet. The next command builds
  /// them.
  var worthSaying: [Problem] {
    problems.filter { $0.code != "library_missing" }
  }
}
