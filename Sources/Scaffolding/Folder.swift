internal import AgentModules
internal import Glibc

/// Creates and removes the folders and files of new agents and modules.
enum Folder {
  static func make(_ path: String) throws(ScaffoldError) {
    guard !FileSystem.isFolder(path) else { return }
    let parent = FileSystem.parent(path)
    if parent != path { try make(parent) }
    if mkdir(path, 0o755) != 0, errno != EEXIST {
      throw ScaffoldError(.cannotWrite, "\(path): \(FileSystem.reason(errno)).")
    }
  }

  static func write(
    _ bytes: [UInt8], to path: String, mode: mode_t = 0o644
  ) throws(ScaffoldError) {
    do {
      try FileSystem.replace(path, with: bytes, mode: mode)
    } catch {
      throw ScaffoldError(.cannotWrite, "\(path): \(error.message)")
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
}
