internal import AgentSystem
internal import Glibc

/// Makes file names durable. After a power failure, a synced file is lost if its folder wasn't
/// synced.
package enum FolderSync {
  /// Syncs a file or folder to the disk. Blocks the calling thread.
  /// - Returns: whether it succeeded. If not, `errno` is set.
  package static func sync(_ path: String) -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    // EINVAL, because some file systems can't sync a folder. Artifacts may be stored on such a file
    // system.
    return fsync(descriptor) == 0 || errno == EINVAL
  }

  /// Returns the folder of a path.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes the name of a new file durable, and that of its folder, which may be new too.
  static func syncNames(of path: String) throws(StoreError) {
    let folder = folder(of: path)
    // EACCES, because the parent may belong to another user, so that it can't be opened.
    guard sync(folder), sync("\(folder)/..") || errno == EACCES else {
      throw StoreError(
        .fault, "The folder \(folder) can't be synced to the disk.",
        cause: SystemError.text(errno))
    }
  }
}
