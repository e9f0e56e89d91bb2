internal import AgentSystem
internal import Glibc

/// Makes names durable: a power cut loses a synced file when its folder wasn't synced.
package enum FolderSync {
  /// Syncs a file or folder to the disk. Blocks the calling thread.
  /// - Returns: whether that succeeded; if not, `errno` says why.
  package static func sync(_ path: String) -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    // EINVAL: some file systems have nothing to sync in a folder. Tasks' artifacts lie on such
    // ones.
    return fsync(descriptor) == 0 || errno == EINVAL
  }

  /// The folder of a path.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes the name of a new file durable, and that of its folder, which may be new as well.
  static func syncNames(of path: String) throws(StoreError) {
    let folder = folder(of: path)
    // EACCES: the parent is somebody else's, and we may not open it.
    guard sync(folder), sync("\(folder)/..") || errno == EACCES else {
      throw StoreError(
        .fault, "The folder \(folder) can't be synced to the disk.",
        cause: SystemError.text(errno))
    }
  }
}
