import AgentModules
import Glibc

/// A module's folder that goes with the test.
final class TemporaryModule: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/build-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? ""
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  var names: [String] { FileSystem.names(in: path) }

  func write(_ name: String, _ text: String) throws {
    try FileSystem.replace("\(path)/\(name)", with: Array(text.utf8))
  }

  func bytes(_ name: String) throws -> [UInt8] {
    try FileSystem.read("\(path)/\(name)")
  }
}
