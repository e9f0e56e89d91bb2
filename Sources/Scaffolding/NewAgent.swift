public import AgentModules
internal import AgentSettings

/// Writes a new agent's folder.
public struct NewAgent: Sendable {
  /// The name of the sample module.
  static let sample = "logs"

  private let installation: Installation

  /// Takes templates and SDK from an installation.
  public init(_ installation: Installation) {
    self.installation = installation
  }

  /// What was written, and what to do next.
  public struct Report: Sendable {
    /// The agent's folder, as it was named.
    public let folder: String
    /// The files, relative to the folder.
    public let files: [String]
    /// What is wrong with its settings: nothing.
    public let problems: [Problem]
    /// The next command.
    public let next: String

    /// False when the settings have errors.
    public var isValid: Bool { !problems.hasErrors }
  }

  /// Writes a folder with settings that run at once and, unless it is to be empty, the sample
  /// module in this language, enabled.
  /// - Parameter administrator: a user with the hash of a password, for the settings.
  public func create(
    _ path: String, from directory: String, language: ModuleLanguage = .swift,
    isEmpty: Bool = false, administrator: (name: String, hash: String)? = nil
  ) throws(ScaffoldError) -> Report {
    let folder = FileSystem.join(directory, path)
    let name = FileSystem.lastName(folder)
    let isName =
      !name.isEmpty && !name.hasPrefix(".")
      && !name.contains { $0.isNewline || $0 == "\"" || $0 == "\\" }
    guard isName else {
      throw ScaffoldError(.invalidName, "\"\(path)\" can't be an agent's folder.")
    }
    try Folder.make(FileSystem.parent(folder))
    let template = try Template(folder: FileSystem.join(installation.templates, "agent"))
    var files = try template.write(
      to: folder,
      replacing: ["agent": name, "bin": installation.programs, "sdk": installation.sdk])
    try Folder.make(FileSystem.join(folder, "modules"))
    if !isEmpty {
      let module = try NewModule(installation).create(
        Self.sample, from: folder, language: language, enable: true)
      files += module.files
    }
    if let administrator {
      try SettingsEntry.add(
        administrator: administrator.name, hash: administrator.hash, toSettingsOf: folder)
    }
    let result = SettingsFile.load(from: folder)
    try writeSchemas(folder, result)
    let run = isEmpty || language == .python ? "agent run" : "agent build && agent run"
    return Report(
      folder: path, files: files.sorted(), problems: result.worthSaying,
      next: "cd \(path) && \(run)")
  }

  /// Writes schemas, so that an editor completes and checks the settings from the start.
  private func writeSchemas(_ folder: String, _ result: SettingsResult) throws(ScaffoldError) {
    do {
      let agent = try AgentFolder.locate(from: folder)
      try agent.prepare()
      try agent.writeSchemas(settings: result.composedSchema)
    } catch {
      throw ScaffoldError(.cannotWrite, "\(error)")
    }
  }
}
