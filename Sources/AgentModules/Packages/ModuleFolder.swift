import Glibc

/// A module's folder, which is packed into a package or written from one.
struct ModuleFolder {
  let path: String

  private static let maxFiles = 100_000

  // MARK: Files of the folder

  /// Returns all files and folders, sorted, without hidden ones and build products.
  func entries() throws(ModulePackageError) -> [TarEntry] {
    var entries: [TarEntry] = []
    var size = 0
    try collect("", into: &entries, size: &size)
    return entries
  }

  private func collect(
    _ folder: String, into entries: inout [TarEntry], size: inout Int
  ) throws(ModulePackageError) {
    for name in FileSystem.names(in: FileSystem.join(path, folder)) where !Self.isLeftOut(name) {
      let inside = FileSystem.join(folder, name)
      let file = FileSystem.join(path, inside)
      var status = stat()
      guard lstat(file, &status) == 0 else {
        throw .file(file, .unreadable(FileSystem.reason(errno)))
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        entries.append(TarEntry(path: inside, content: .folder))
        try collect(inside, into: &entries, size: &size)
      case S_IFREG:
        size += Int(status.st_size)
        // The limit is checked before each read, because a folder may have any size.
        guard size < ModulePackage.largest else { throw .tooLarge(path) }
        entries.append(try read(file, as: inside, executable: status.st_mode & 0o100 != 0))
      default: throw .link(file)
      }
      guard entries.count < Self.maxFiles else { throw .tooLarge(path) }
    }
  }

  private func read(
    _ file: String, as inside: String, executable: Bool
  ) throws(ModulePackageError) -> TarEntry {
    do {
      let bytes = try FileSystem.read(file, limit: ModulePackage.largest)
      return TarEntry(path: inside, content: .file(bytes, executable: executable))
    } catch {
      throw .file(file, error)
    }
  }

  private static func isLeftOut(_ name: String) -> Bool {
    name.hasPrefix(".") || name == "build" || name == "__pycache__"
      || name.hasSuffix(ModulePackage.suffix)
  }

  // MARK: Unpacking

  /// Writes the entries into this folder, which is temporary, and renames it when all are there.
  func write(_ entries: [TarEntry], renamedTo target: String) throws(ModulePackageError) {
    remove()
    do throws(ModulePackageError) {
      try makeFolder(path)
      for entry in entries where !entry.path.isEmpty { try write(entry) }
      guard rename(path, target) == 0 else {
        throw ModulePackageError.file(target, .unreadable(FileSystem.reason(errno)))
      }
    } catch {
      remove()
      throw error
    }
  }

  private func write(_ entry: TarEntry) throws(ModulePackageError) {
    let file = FileSystem.join(path, entry.path)
    switch entry.content {
    case .folder: try makeFolder(file)
    case .file(let bytes, let executable):
      try makeParents(of: entry.path)
      do {
        try FileSystem.replace(file, with: bytes, mode: executable ? 0o755 : 0o644, durable: false)
      } catch {
        throw .file(file, error)
      }
    }
  }

  /// Creates the parents of a file, because an archive may omit folders.
  private func makeParents(of inside: String) throws(ModulePackageError) {
    var folder = path
    for name in inside.split(separator: "/").dropLast() {
      folder += "/" + name
      try makeFolder(folder)
    }
  }

  private func makeFolder(_ folder: String) throws(ModulePackageError) {
    if mkdir(folder, 0o755) != 0 && errno != EEXIST {
      throw .file(folder, .unreadable(FileSystem.reason(errno)))
    }
  }

  /// Removes the temporary folder, including the rest of an interrupted installation.
  private func remove() { Self.remove(path) }

  /// A link is removed and not followed.
  private static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT != S_IFDIR {
      unlink(path)
      return
    }
    for name in FileSystem.names(in: path) { remove(FileSystem.join(path, name)) }
    rmdir(path)
  }
}
