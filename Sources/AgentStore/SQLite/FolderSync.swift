internal import Glibc

/// Makes names durable: a file that was synced is lost all the same in a power cut when the folder
/// that names it wasn't.
package enum FolderSync {
  /// Writes what the system still holds of a file or folder to the disk.
  /// - Returns: whether that succeeded; if not, `errno` says why.
  package static func sync(_ path: String) -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    // Some file systems have nothing to sync in a folder, and say so.
    return fsync(descriptor) == 0 || errno == EINVAL
  }

  /// Where a file lies.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A new file's name, and its folder's, which may be new as well unless its parent is somebody
  /// else's.
  static func syncNames(of path: String) throws(StoreError) {
    let folder = folder(of: path)
    guard sync(folder), sync("\(folder)/..") || errno == EACCES else {
      throw StoreError(
        .fault, "The folder \(folder) can't be synced to the disk.",
        cause: String(cString: strerror(errno)))
    }
  }
}
