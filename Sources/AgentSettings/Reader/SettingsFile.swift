public import AgentJSON
public import AgentModules

/// Reads an agent's settings and says everything that is wrong with them at once.
public enum SettingsFile {
  /// How to read.
  public struct Options: Sendable {
    /// Whether a variable that isn't set is an error (to run) or a warning (to look).
    public var strict: Bool
    /// The host's own environment, asked after `.env`.
    public var environment: [String: String]
    /// The version that `requires.host` is compared with.
    public var host: SemanticVersion

    /// Lenient and with the environment of this process unless given.
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
      // Read from the kernel: the C variable isn't safe to read beside other threads.
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

  /// Reads the settings at `path`, or `settings.json` of the current folder. Runs nothing of a
  /// module and changes nothing.
  public static func load(
    path: String? = nil, from directory: String = ".", options: Options = Options()
  ) -> SettingsResult {
    do {
      return load(try AgentFolder.locate(settings: path, from: directory), options: options)
    } catch {
      return SettingsResult(problems: [error])
    }
  }

  /// Reads the settings of a folder that was located before.
  public static func load(
    _ folder: AgentFolder, options: Options = Options()
  ) -> SettingsResult {
    do {
      let source = try SourceFile.read(folder.settingsFile, named: folder.settingsName)
      return load(source, folder, options)
    } catch {
      return SettingsResult(problems: [missing(error, folder)])
    }
  }

  /// Checks a text that isn't in the file yet, as if it were.
  public static func check(
    _ document: JSONDocument, in folder: AgentFolder, options: Options = Options()
  ) -> SettingsResult {
    load(SourceFile(name: folder.settingsName, document: document), folder, options)
  }

  private static func load(
    _ source: SourceFile, _ folder: AgentFolder, _ options: Options
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

/// What came of reading settings.
public struct SettingsResult: Sendable {
  /// Everything that is wrong, in reading order, without secrets.
  public let problems: [Problem]
  /// The settings; nil when there is an error.
  public let settings: AgentSettings?
  /// What the enabled modules offer, as far as their manifests are in order; nil when the settings
  /// can't be read at all.
  public let catalog: ModuleCatalog?
  /// The file as it is; nil when it isn't JSON.
  public let document: JSONDocument?
  /// Knows every secret that was read, also when there are errors.
  public let redactor: Redactor
  /// What tells this version of the file from others; nil when it isn't JSON.
  public var version: String? { document.map { TextDigest.of($0.bytes) } }

  init(
    problems: [Problem], settings: AgentSettings? = nil, catalog: ModuleCatalog? = nil,
    document: JSONDocument? = nil, redactor: Redactor = .none
  ) {
    self.problems = problems
    self.settings = settings
    self.catalog = catalog
    self.document = document
    self.redactor = redactor
  }

  /// Whether the agent can run with them.
  public var isValid: Bool { !problems.hasErrors }

  /// One schema for this agent's whole file, for editors.
  public var composedSchema: JSONValue { ComposedSchema(catalog: catalog).value }
}
