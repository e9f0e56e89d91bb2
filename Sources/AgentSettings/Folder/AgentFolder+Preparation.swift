public import AgentJSON
public import AgentModules
import Glibc

extension AgentFolder {
  /// Creates the private folders that are missing, and removes the access of other users to them.
  public func prepare() throws(Problem) {
    for folder in [privateFolder, logs, libraries] { try makePrivate(folder) }
    let socketFolder = FileSystem.parent(socket)
    if socketFolder.hasPrefix("/tmp/agent-") { try makePrivate(socketFolder, mends: false) }
  }

  /// Writes the schemas that `$schema` in settings and manifests refers to. Does nothing if they
  /// are up to date.
  public func writeSchemas(settings: JSONValue) throws(Problem) {
    try write(settings, to: settingsSchema)
    try write(SharedSchemas.module, to: moduleSchema)
  }

  /// Replaces the settings file in one step. The file keeps its mode. A link to the file also leads
  /// to the new text.
  public func writeSettings(_ document: JSONDocument) throws(Problem) {
    let path = FileSystem.realPath(settingsFile) ?? settingsFile
    var status = stat()
    let mode = stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o644
    do {
      try FileSystem.replace(path, with: document.bytes, mode: mode)
    } catch {
      throw Problem(
        "file_unwritable", file: settingsName,
        message: "the settings can't be written: \(error.message)")
    }
  }

  private func write(_ schema: JSONValue, to path: String) throws(Problem) {
    let bytes = schema.bytes(pretty: true)
    if (try? FileSystem.read(path)) == bytes { return }
    do {
      try FileSystem.replace(path, with: bytes)
    } catch {
      throw Problem(
        "file_unwritable", file: path,
        message: "the schema for editors can't be written: \(error.message)")
    }
  }

  /// - Parameter mends: whether the access of other users to the folder is removed. Otherwise such
  ///   a folder is refused, because others may have put files into a folder in `/tmp` before.
  func makePrivate(_ folder: String, mends: Bool = true) throws(Problem) {
    if mkdir(folder, 0o700) != 0 && errno != EEXIST {
      throw failure(
        "folder_unusable", folder: folder, message: "can't be created: \(FileSystem.reason(errno))."
      )
    }
    var status = stat()
    guard lstat(folder, &status) == 0 else {
      throw failure(
        "folder_unusable", folder: folder, message: "can't be read: \(FileSystem.reason(errno)).")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw failure("folder_unusable", folder: folder, message: "isn't a folder. Move it away.")
    }
    // The owner of a folder can change it at any time, so the host uses only folders of its own
    // user.
    guard status.st_uid == geteuid() else {
      throw failure(
        "folder_not_own", folder: folder,
        message: "belongs to user \(status.st_uid), and this is user \(geteuid())."
          + " Run as that user, or remove it.")
    }
    guard mends || status.st_mode & 0o777 == 0o700 else {
      throw failure(
        "folder_unusable", folder: folder,
        message:
          "has the mode \(String(status.st_mode & 0o777, radix: 8)), not 700: others may have put "
          + "something into it. Remove it.")
    }
    if status.st_mode & 0o077 != 0, chmod(folder, 0o700) != 0 {
      throw failure("folder_unusable", folder: folder, message: "can't be closed to others.")
    }
  }

  private func failure(_ code: String, folder: String, message: String) -> Problem {
    Problem(code, file: folder, message: "the folder \(message)")
  }
}
