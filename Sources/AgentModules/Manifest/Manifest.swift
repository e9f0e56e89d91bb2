public import AgentJSON

/// The contents of `module.json`: everything that the host knows about a module before it runs.
///
/// Rationale: it is a class, because hundreds of processes may share one module.
public final class Manifest: Sendable {
  /// The code of a module.
  public enum Entry: Sendable, Hashable {
    /// A shared library, as a path in the module's folder.
    case library(String)
    /// A program that uses the worker protocol, with its arguments.
    case command([String])
    /// None. The module only declares C functions.
    case functionsOnly
  }

  /// The version of the module interface that this host supports (`AGENT_ABI`).
  public static let hostABI = 1

  /// The name that settings use.
  public let name: String
  public let version: SemanticVersion
  /// The name for people. Without a title in the manifest, it equals ``name``.
  public let title: String
  /// A description of one or two sentences. May be empty.
  public let description: String
  /// The version of the module interface that the module uses.
  public let abi: Int
  public let entry: Entry
  public let requires: ModuleRequirements
  /// The permissions outside the module's folder, from the manifest and from the settings.
  public let permissions: Permissions
  /// The contributions of the library or command, in the manifest's order.
  public let contributions: [Contribution]
  /// The declared C functions.
  public let functions: [FunctionDeclaration]
  /// The absolute path of the module's folder, without links.
  public let directory: String
  /// The file's name in messages.
  public let file: String
  /// The manifest itself.
  public let document: JSONDocument

  /// All contributions, with the functions as actions.
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

  /// Returns a copy with additional permissions.
  func permitting(_ more: Permissions) -> Manifest {
    Manifest(
      name: name, version: version, title: title, description: description, abi: abi,
      entry: entry, requires: requires, permissions: permissions.union(more),
      contributions: contributions, functions: functions, directory: directory, file: file,
      document: document)
  }

  /// Returns the contribution with this name among those kinds.
  public func offer(_ name: String, among kinds: Set<ContributionKind>) -> Contribution? {
    offers.first { $0.name == name && kinds.contains($0.kind) }
  }

  /// The absolute path of the library. `nil` if the module has none.
  public var libraryPath: String? {
    guard case .library(let name) = entry else { return nil }
    return FileSystem.join(directory, name)
  }

  /// Reads and checks the `module.json` in a folder. It runs no code of the module.
  /// - Parameter name: the name of the folder in messages.
  /// - Returns: the manifest, or `nil` if it has errors, and the problems.
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
