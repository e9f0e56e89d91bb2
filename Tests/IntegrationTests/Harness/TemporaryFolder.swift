import Glibc

/// A folder that goes with the test.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/agent-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw HarnessError("mkdtemp failed: \(errno)") }
    path = String(cString: made)
  }

  deinit { remove() }

  func remove() { Self.remove(path) }

  /// Writes a file as a whole, with the folders that it needs; its predecessor is replaced at once.
  func write(_ name: String, _ bytes: [UInt8]) throws {
    let path = "\(path)/\(name)"
    var folder = ""
    for part in Places.parent(path).split(separator: "/") {
      folder += "/\(part)"
      mkdir(folder, 0o755)
    }
    let partial = path + ".partial"
    guard let file = fopen(partial, "we") else { throw HarnessError("\(path) can't be written") }
    _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    fclose(file)
    guard rename(partial, path) == 0 else { throw HarnessError("\(path) can't be replaced") }
  }

  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  /// Puts another name of a file into the folder, in place of what has that name.
  func link(_ file: String, as name: String) throws {
    try write(name, "")
    let partial = "\(path)/\(name).partial"
    guard Glibc.link(file, partial) == 0, rename(partial, "\(path)/\(name)") == 0 else {
      throw HarnessError("\(file) can't be linked to \(name): \(String(cString: strerror(errno)))")
    }
  }

  func bytes(_ name: String) throws -> [UInt8] {
    try Self.bytes(ofFile: name.hasPrefix("/") ? name : "\(path)/\(name)")
  }

  func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

  func remove(_ name: String) throws {
    guard unlink("\(path)/\(name)") == 0 else { throw HarnessError("\(name) can't be removed") }
  }

  func exists(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

  /// The permissions of a file.
  func mode(of name: String) throws -> mode_t {
    var status = stat()
    guard stat("\(path)/\(name)", &status) == 0 else { throw HarnessError("\(name) isn't there") }
    return status.st_mode & 0o777
  }

  static func bytes(ofFile path: String) throws -> [UInt8] {
    guard let file = fopen(path, "re") else { throw HarnessError("\(path) can't be read") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// The names in a folder; none when it isn't there.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func remove(_ folder: String) {
    for name in names(in: folder) where unlink("\(folder)/\(name)") != 0 {
      remove("\(folder)/\(name)")
    }
    rmdir(folder)
  }
}
