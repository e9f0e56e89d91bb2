internal import AgentModules
internal import Glibc

/// The folders and files that a build writes.
enum Files {
  /// Creates a folder and its missing parents.
  static func makeFolder(_ path: String) throws(BuildError) {
    guard !FileSystem.isFolder(path) else { return }
    let parent = FileSystem.parent(path)
    if parent != path { try makeFolder(parent) }
    if mkdir(path, 0o755) != 0, errno != EEXIST {
      throw BuildError(.cannotWrite, "\(path): \(FileSystem.reason(errno)).")
    }
  }

  static func write(_ text: String, to path: String) throws(BuildError) {
    do {
      try FileSystem.replace(path, with: Array(text.utf8))
    } catch {
      throw BuildError(.cannotWrite, "\(path): \(error.message)")
    }
  }

  /// Removes a folder and its contents. What can't be removed stays.
  static func remove(_ folder: String) {
    for name in FileSystem.names(in: folder) {
      let path = FileSystem.join(folder, name)
      if unlink(path) != 0 { remove(path) }
    }
    rmdir(folder)
  }

  /// Returns the time of a file's last change in nanoseconds, or `nil` if there is no such file.
  static func changed(_ path: String) -> Int64? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }
}
