import AgentJSON

/// A module in one file, `NAME-VERSION.agentmodule`, for distribution and installation.
public struct ModulePackage: Sendable {
  /// The ending of a package's file name.
  public static let suffix = ".agentmodule"

  /// The module's manifest, as in the package. Its folder no longer exists.
  public let manifest: Manifest
  /// Problems that don't prevent the installation.
  public let warnings: [Problem]

  private let entries: [TarEntry]

  /// The name of the package's file.
  public var fileName: String { "\(manifest.name)-\(manifest.version)\(Self.suffix)" }

  // MARK: Packing

  /// Packs a module's folder. Hidden files and `build` folders are left out.
  public static func pack(folder: String) throws(ModulePackageError) -> ModulePackage {
    let (manifest, problems) = Manifest.read(directory: folder)
    guard let manifest, !problems.hasErrors else { throw .invalidManifest(problems) }
    let entries = try ModuleFolder(path: manifest.directory).entries()
    if case .library(let library) = manifest.entry, !entries.contains(where: { $0.path == library })
    {
      throw .libraryMissing(library, module: manifest.name)
    }
    return ModulePackage(manifest: manifest, warnings: problems, entries: entries)
  }

  /// Writes the package into a folder and returns its path. It replaces a file of the same name.
  /// The same module always gives the same bytes.
  public func write(into folder: String) throws(ModulePackageError) -> String {
    let path = FileSystem.join(folder, fileName)
    let bytes: [UInt8]
    do {
      bytes = try TarArchive.bytes(of: entries)
    } catch {
      throw ModulePackageError(error, package: fileName)
    }
    do {
      try FileSystem.replace(path, with: bytes)
    } catch {
      throw .file(path, error)
    }
    return path
  }

  // MARK: Installing

  /// The largest package that is read, in bytes.
  public static let largest = 1 << 30

  /// Reads and checks a package without installing it.
  public static func read(_ path: String) throws(ModulePackageError) -> ModulePackage {
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.read(path, limit: largest)
    } catch {
      throw .file(path, error)
    }
    var entries: [TarEntry]
    do {
      entries = try TarArchive.entries(of: bytes)
    } catch {
      throw ModulePackageError(error, package: path)
    }
    for index in entries.indices { entries[index] = try checked(entries[index], package: path) }
    if let twice = PackagePath.collision(among: entries) { throw .twice(twice, package: path) }
    return try unpacked(entries, package: path)
  }

  /// Checks that the path of an entry stays inside the folder that it is unpacked into.
  private static func checked(
    _ entry: TarEntry, package: String
  ) throws(ModulePackageError) -> TarEntry {
    do {
      let path = try PackagePath.checked(entry.path)
      return TarEntry(path: path, content: path.isEmpty ? .folder : entry.content)
    } catch {
      switch error {
      case .leadsOut: throw .unsafePath(entry.path, package: package)
      case .unseen: throw .unsafeName(entry.path, package: package)
      }
    }
  }

  private static func unpacked(
    _ entries: [TarEntry], package: String
  ) throws(ModulePackageError) -> ModulePackage {
    let content = entries.first { $0.path == "module.json" }?.content
    guard case .file(let bytes, _)? = content else { throw .notAModule(package) }
    var reader: ManifestReader
    do {
      let document = try JSONDocument(parsing: bytes)
      // The reader looks for the library among the entries, because the module has no folder yet.
      reader = ManifestReader(
        source: SourceFile(name: package + ": module.json", document: document), directory: "/",
        host: .host)
    } catch {
      throw .invalidManifest([
        Problem(
          "invalid_json", file: package + ": module.json", place: error.place,
          message: error.message)
      ])
    }
    guard let manifest = reader.read() else { throw .invalidManifest(reader.problems) }
    if case .library(let library) = manifest.entry, !entries.contains(where: { $0.path == library })
    {
      throw .libraryMissing(library, module: manifest.name)
    }
    let warnings = reader.problems.filter { $0.code != "library_missing" }
    return ModulePackage(manifest: manifest, warnings: warnings, entries: entries)
  }

  /// Installs the module into a `modules` folder under its name and returns the new folder. It
  /// installs all files or none. It never overwrites an existing module.
  public func install(into modules: String) throws(ModulePackageError) -> String {
    let target = FileSystem.join(modules, manifest.name)
    if FileSystem.exists(target) { throw .installedAlready(manifest.name, target) }
    let folder = ModuleFolder(path: FileSystem.join(modules, ".\(manifest.name).installing"))
    try folder.write(entries, renamedTo: target)
    return target
  }

  /// Reads and checks a package or a folder without installing it.
  public static func load(_ path: String) throws(ModulePackageError) -> ModulePackage {
    FileSystem.isFolder(path) ? try pack(folder: path) : try read(path)
  }

  /// Installs a module from a package or from a folder.
  public static func install(
    _ path: String, into modules: String
  ) throws(ModulePackageError) -> Manifest {
    try installed(by: load(path), into: modules)
  }

  /// Installs a package and reads the manifest of the installed module.
  public static func installed(
    by package: ModulePackage, into modules: String
  ) throws(ModulePackageError) -> Manifest {
    let folder = try package.install(into: modules)
    let (manifest, problems) = Manifest.read(directory: folder)
    guard let manifest else { throw .invalidManifest(problems) }
    return manifest
  }
}
