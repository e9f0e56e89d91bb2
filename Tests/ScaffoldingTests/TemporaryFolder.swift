import AgentModules
import Glibc

/// A folder that goes with the test.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/scaffold-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw FileFailure.unreadable("mkdtemp") }
    path = String(cString: made)
  }

  deinit {
    Self.remove(path)
  }

  /// The text of a file.
  func text(_ name: String) throws -> String {
    String(decoding: try FileSystem.read("\(path)/\(name)"), as: UTF8.self)
  }

  /// The files that hold a text.
  func filesThatHold(_ text: String) throws -> [String] {
    try Self.files(in: path).filter {
      String(decoding: try FileSystem.read($0), as: UTF8.self).contains(text)
    }
  }

  private static func files(in folder: String) -> [String] {
    FileSystem.names(in: folder).flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      return FileSystem.isFolder(path) ? files(in: path) : [path]
    }
  }

  private static func remove(_ folder: String) {
    for name in FileSystem.names(in: folder) {
      let path = "\(folder)/\(name)"
      if unlink(path) != 0 { remove(path) }
    }
    rmdir(folder)
  }
}
