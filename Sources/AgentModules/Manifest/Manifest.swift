public import AgentJSON

/// What `module.json` says: all that the host knows about a module without running it.
///
/// Rationale: a class, because hundreds of processes may be of one module and share it.
public final class Manifest: Sendable {
  /// How a module's code is started.
  public enum Entry: Sendable, Hashable {
    /// A shared library, a path inside the module's folder.
    case library(String)
    /// A program that speaks the worker protocol, and its arguments.
    case command([String])
    /// It has no code of its own, only declared C functions.
    case functionsOnly
  }

  /// The version of the module interface that this host speaks (`AGENT_ABI`).
  public static let hostABI = 1

  /// The name by which settings enable it.
  public let name: String
  public let version: SemanticVersion
  /// Its name for people; the name itself when none is given.
  public let title: String
  /// One or two sentences; may be empty.
  public let description: String
  /// The version of the module interface that it was built for.
  public let abi: Int
  public let entry: Entry
  public let requires: ModuleRequirements
  /// Its permissions outside its folder: those of the manifest, and those that the settings add.
  public let permissions: Permissions
  /// The contributions of its library or command, in the manifest's order.
  public let contributions: [Contribution]
  /// C functions that it declares.
  public let functions: [FunctionDeclaration]
  /// The module's folder, absolute and without links.
  public let directory: String
  /// The file's name in messages.
  public let file: String
  /// The manifest itself.
  public let document: JSONDocument

  /// The declared contributions, and the functions as actions.
  public let offers: [Contribution]

  init(
    name: String, version: SemanticVersion, title: String, description: String, abi: Int,
    entry: Entry, requires: ModuleRequirements, permissions: Permissions,
    contributions: [Contribution], functions: [FunctionDeclaration], directory: String,
    file: String, document: JSONDocument
  ) {
    self.name = name
    self.version = version
    self.title = title
    self.description = description
    self.abi = abi
    self.entry = entry
    self.requires = requires
    self.permissions = permissions
    self.contributions = contributions
    self.functions = functions
    self.directory = directory
    self.file = file
    self.document = document
    offers = contributions + functions.compactMap(\.contribution)
  }

  /// The same module, which may do this, too.
  func permitting(_ more: Permissions) -> Manifest {
    Manifest(
      name: name, version: version, title: title, description: description, abi: abi,
      entry: entry, requires: requires, permissions: permissions.union(more),
      contributions: contributions, functions: functions, directory: directory, file: file,
      document: document)
  }

  /// The contribution of this name among those kinds.
  public func offer(_ name: String, among kinds: Set<ContributionKind>) -> Contribution? {
    offers.first { $0.name == name && kinds.contains($0.kind) }
  }

  /// The library's absolute path; nil when the module has none.
  public var libraryPath: String? {
    guard case .library(let name) = entry else { return nil }
    return FileSystem.join(directory, name)
  }

  /// Reads and checks the `module.json` in a folder; no manifest comes back when it has errors.
  /// Runs nothing. `name` is what messages call the folder.
  public static func read(
    directory: String, named name: String? = nil, host: SemanticVersion = .host
  ) -> (Manifest?, [Problem]) {
    let file = FileSystem.join(name ?? directory, "module.json")
    do {
      let source = try SourceFile.read(FileSystem.join(directory, "module.json"), named: file)
      var reader = ManifestReader(
        source: source, directory: FileSystem.realPath(directory) ?? directory, host: host)
      return (reader.read(), reader.problems)
    } catch {
      return (nil, [error])
    }
  }
}
