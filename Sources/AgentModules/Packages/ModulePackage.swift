import AgentJSON

/// A module in one file, `NAME-VERSION.agentmodule`: to give it to others and to install it.
public struct ModulePackage: Sendable {
  /// The last part of a package's name.
  public static let suffix = ".agentmodule"

  /// The module as its manifest in the package describes it. Its folder isn't there any more.
  public let manifest: Manifest
  /// Problems that don't prevent the installation.
  public let warnings: [Problem]

  private let entries: [TarEntry]

  /// The name of its file.
  public var fileName: String { "\(manifest.name)-\(manifest.version)\(Self.suffix)" }

  // MARK: Packing

  /// Packs a module's folder. What begins with a dot stays out, and so do `build` folders.
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

  /// Writes the package into a folder and returns its path. A file of that name is replaced: the
  /// same module gives the same bytes.
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

  /// The largest package that is read.
  public static let largest = 1 << 30

  /// Reads and checks a package; nothing is written where it will be.
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

  /// An entry whose path stays inside the folder that it is unpacked into.
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
      // The library is looked for among the entries, not in a folder.
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

  /// Installs into a `modules` folder, under the module's name, whole or not at all. Returns the
  /// new folder. A module that is there already is never overwritten.
  public func install(into modules: String) throws(ModulePackageError) -> String {
    let target = FileSystem.join(modules, manifest.name)
    if FileSystem.exists(target) { throw .installedAlready(manifest.name, target) }
    let folder = ModuleFolder(path: FileSystem.join(modules, ".\(manifest.name).installing"))
    try folder.write(entries, renamedTo: target)
    return target
  }

  /// The module of a package or of a folder, whichever `path` is: read and checked, not installed.
  public static func load(_ path: String) throws(ModulePackageError) -> ModulePackage {
    FileSystem.isFolder(path) ? try pack(folder: path) : try read(path)
  }

  /// Installs a module from a package or from a folder, whichever `path` is.
  public static func install(
    _ path: String, into modules: String
  ) throws(ModulePackageError) -> Manifest {
    try installed(by: load(path), into: modules)
  }

  /// Installs a package and reads the installed module.
  public static func installed(
    by package: ModulePackage, into modules: String
  ) throws(ModulePackageError) -> Manifest {
    let folder = try package.install(into: modules)
    let (manifest, problems) = Manifest.read(directory: folder)
    guard let manifest else { throw .invalidManifest(problems) }
    return manifest
  }
}
