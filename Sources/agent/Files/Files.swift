internal import AgentModules
internal import AgentSystem
internal import Glibc

/// Reads and writes files for verbs that work without a host.
enum Files {
  /// Returns the absolute path.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return path == "." ? String(cString: folder) : "\(String(cString: folder))/\(path)"
  }

  /// Creates a new file that only its owner can read.
  static func create(_ path: String, with bytes: [UInt8]) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST {
        throw Failure("The file \(path) exists already and isn't overwritten. Choose another name.")
      }
      throw Failure("\(path) can't be created: \(SystemError.text(errno)).")
    }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        let reason = SystemError.text(errno)
        unlink(path)
        throw Failure("\(path) can't be written: \(reason).")
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads the last `most` bytes of a file.
  static func read(_ path: String, most: Int) throws -> [UInt8] {
    // Without O_NONBLOCK the opening of a FIFO would wait.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw Failure("\(path) can't be read: \(SystemError.text(errno)).")
    }
    defer { close(descriptor) }
    var status = stat()
    // A folder, a pipe or a device has no size, and would be read as an empty file.
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Failure("\(path) can't be read: it isn't a file.")
    }
    let size = lseek(descriptor, 0, SEEK_END)
    lseek(descriptor, max(0, size - most), SEEK_SET)
    var bytes = [UInt8](repeating: 0, count: min(most, max(0, size)))
    var count = 0
    while count < bytes.count {
      let result = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if result < 0 && errno == EINTR { continue }
      guard result > 0 else { break }
      count += result
    }
    return Array(bytes[..<count])
  }

  /// Removes a folder and its contents. Doesn't follow links out of it.
  static func removeFolder(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return false }
    guard status.st_mode & S_IFMT == S_IFDIR else { return unlink(path) == 0 }
    for name in FileSystem.names(in: path) where !removeFolder("\(path)/\(name)") { return false }
    return rmdir(path) == 0
  }
}
