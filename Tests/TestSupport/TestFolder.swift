import Glibc
import Testing

/// A folder of its own for one test, removed with the object.
package final class TestFolder: Sendable {
  package let path: String

  package init() throws {
    var template = Array("/tmp/agent-tests-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  deinit { Self.remove(path) }

  /// Writes a file and makes the folders that lead to it.
  /// - Returns: the file's path.
  @discardableResult
  package func write(_ name: String, _ text: String, mode: UInt32 = 0o644) throws -> String {
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder += "/\(part)"
      mkdir(folder, 0o755)
    }
    let target = "\(path)/\(name)"
    let file = try #require(fopen(target, "w"))
    let bytes = Array(text.utf8)
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    chmod(target, mode)
    return target
  }

  /// Writes a program. Children of other tests never have its file open, which keeps a file from being
  /// executed.
  /// - Returns: the program's path.
  package func writeProgram(_ name: String, _ text: String) throws -> String {
    let target = "\(path)/\(name)"
    let file = open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0o700)
    defer { close(file) }
    try #require(file >= 0 && Glibc.write(file, text, text.utf8.count) == text.utf8.count)
    return target
  }

  /// Returns the content of a file, or nil for a file that isn't there.
  package func text(_ name: String) -> String? {
    guard let file = fopen("\(path)/\(name)", "r") else { return nil }
    defer { fclose(file) }
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&bytes, 1, bytes.count, file), count > 0 {
      text += bytes.prefix(count)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns whether there is a file or folder.
  package func contains(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

  private static func remove(_ path: String) {
    // Before anything else: a link isn't followed, because it may lead to a folder of the system.
    guard unlink(path) != 0, let directory = opendir(path) else { return }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { remove("\(path)/\(name)") }
    }
    closedir(directory)
    rmdir(path)
  }
}
