import FoundationEssentials

/// A folder of a test's own, gone when the test is.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let name = "agent-test-" + UUID().uuidString
    let url = FileManager.default.temporaryDirectory.appending(path: name)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    self.path = url.resolvingSymlinksInPath().path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and the folders that lead to it.
  func write(_ name: String, _ text: String, mode: Int = 0o644) throws {
    let file = path + "/" + name
    let folder = String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: URL(filePath: path + "/" + name), encoding: .utf8)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }
}
