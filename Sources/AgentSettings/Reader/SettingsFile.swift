public import AgentJSON
public import AgentModules

/// Reads an agent's settings and reports all problems at once.
public enum SettingsFile {
  /// The strictness, the variables and the version for a check.
  public struct Options: Sendable {
    /// Whether a variable that isn't set is an error. Otherwise it is a warning.
    public var strict: Bool
    /// The host's own environment. `.env` wins over it.
    public var environment: [String: String]
    /// The host's version, which is compared with `requires.host`.
    public var host: SemanticVersion

    /// The default is lenient, with the environment of this process.
    public init(
      strict: Bool = false, environment: [String: String] = Options.inherited,
      host: SemanticVersion = .host
    ) {
      self.strict = strict
      self.environment = environment
      self.host = host
    }

    /// The environment of this process.
    public static var inherited: [String: String] {
      var table: [String: String] = [:]
      // The kernel's copy is read, because another thread may change the C variable at the same
      // time.
      let bytes = (try? FileSystem.read("/proc/self/environ")) ?? []
      for entry in bytes.split(separator: 0) {
        let assignment = String(decoding: entry, as: UTF8.self)
        guard let equals = assignment.firstIndex(of: "=") else { continue }
        let value = assignment[assignment.index(after: equals)...]
        table[String(assignment[..<equals])] = String(value)
      }
      return table
    }
  }

  /// Reads the settings at `path`, or `settings.json` of the current folder. Doesn't run a module's
  /// code and doesn't change any file.
  public static func load(
    path: String? = nil, from directory: String = ".", options: Options = Options()
  ) -> SettingsResult {
    do {
      return load(try AgentFolder.locate(settings: path, from: directory), options: options)
    } catch {
      return SettingsResult(problems: [error])
    }
  }

  /// Reads the settings of a located folder.
  public static func load(
    _ folder: AgentFolder, options: Options = Options()
  ) -> SettingsResult {
    do {
      let source = try SourceFile.read(folder.settingsFile, named: folder.settingsName)
      return load(source, folder: folder, options: options)
    } catch {
      return SettingsResult(problems: [missing(error, folder)])
    }
  }

  /// Checks a text as if it were in the file already.
  public static func check(
    _ document: JSONDocument, in folder: AgentFolder, options: Options = Options()
  ) -> SettingsResult {
    load(
      SourceFile(name: folder.settingsName, document: document), folder: folder, options: options)
  }

  private static func load(
    _ source: SourceFile, folder: AgentFolder, options: Options
  ) -> SettingsResult {
    let (table, problems) = EnvironmentTable.read(
      folder.environmentFile, named: FileSystem.join(folder.name, ".env"),
      inherited: options.environment)
    var reader = SettingsReader(
      source: source, folder: folder, options: options, table: table, problems: problems)
    return reader.read()
  }

  private static func missing(_ problem: Problem, _ folder: AgentFolder) -> Problem {
    guard problem.code == "file_missing" else { return problem }
    var problem = problem
    problem.code = "settings_missing"
    problem.message =
      "there is no settings file here. `create-agent` makes a new agent;"
      + " --settings names a file elsewhere."
    return problem
  }
}

/// The result of reading settings.
public struct SettingsResult: Sendable {
  /// All problems, in the file's order, without secrets.
  public let problems: [Problem]
  /// The settings. Nil means that there is an error.
  public let settings: AgentSettings?
  /// The parts of settings with errors that a host in safe mode uses.
  private let safe: AgentSettings?
  /// The contributions of the enabled modules whose manifests are valid. Nil means that the
  /// settings can't be read at all.
  public let catalog: ModuleCatalog?
  /// The parsed file. Nil means that it isn't JSON.
  public let document: JSONDocument?
  /// Knows every secret that was read, even if there are errors.
  public let redactor: Redactor
  /// A digest of the file's text that differs between versions. Nil means that the file isn't JSON.
  public var version: String? { document.map { TextDigest.of($0.bytes) } }

  init(
    problems: [Problem], settings: AgentSettings? = nil, safe: AgentSettings? = nil,
    catalog: ModuleCatalog? = nil, document: JSONDocument? = nil, redactor: Redactor = .none
  ) {
    self.problems = problems
    self.settings = settings
    self.safe = safe
    self.catalog = catalog
    self.document = document
    self.redactor = redactor
  }

  /// Whether there are no errors.
  public var isValid: Bool { !problems.hasErrors }

  /// A result without a file, for a host that must not read its settings again.
  public static var unread: SettingsResult { SettingsResult(problems: []) }

  /// The settings of a host in safe mode. With errors they have no modules, processes, tasks, bots,
  /// schedules and notifications, and the sections with errors have their defaults. The API's port
  /// then stays closed unless `http` has no error.
  public func safeSettings(of folder: AgentFolder) -> AgentSettings {
    settings ?? safe ?? .unread(folder)
  }

  /// The number of failed starts after which the next one is in safe mode, as far as the file can
  /// be read.
  public var safeModeAfter: Int {
    let written = document?.root.value["supervision"]?["safe_mode_after"]?.int
    return written.flatMap { (0...100).contains($0) ? $0 : nil }
      ?? SupervisionSettings().safeModeAfter
  }

  /// The schema of this agent's whole file, for editors.
  public var composedSchema: JSONValue { ComposedSchema(catalog: catalog).value }
}
