public import AgentModules
internal import AgentSettings

/// Creates the folder of a new agent.
public struct NewAgent: Sendable {
  /// The name of the sample module.
  static let sample = "logs"

  private let installation: Installation

  /// - Parameter installation: the source of the templates and the SDK.
  public init(_ installation: Installation) {
    self.installation = installation
  }

  /// The result: the written files and the next command.
  public struct Report: Sendable {
    /// The agent's folder, as the caller named it.
    public let folder: String
    /// The written files, relative to the folder.
    public let files: [String]
    /// Problems of the new settings, normally none.
    public let problems: [Problem]
    /// The command to run next.
    public let next: String

    /// Whether the settings have no errors.
    public var isValid: Bool { !problems.hasErrors }
  }

  /// Creates a folder with settings that run as they are. Unless `isEmpty` is true, it also
  /// contains the sample module, enabled, in the given language.
  /// - Parameter administrator: a user for the settings, with the hash of the password.
  /// - Throws: `ScaffoldError` if the name is invalid, the folder exists, or a file can't be written.
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

  /// Writes the JSON schemas, so that an editor completes and checks the settings from the start.
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
