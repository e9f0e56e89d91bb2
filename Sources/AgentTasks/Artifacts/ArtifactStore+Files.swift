internal import AgentStore
internal import AgentSystem
internal import Glibc

/// Reads and writes files. These functions block, so they are called on the queues of the store.
extension ArtifactStore {
  /// Returns the error of the last system call, from `errno`.
  static func problem(_ verb: String, _ path: String) -> TaskError {
    TaskError(.notReady, "\(path) can't be \(verb): \(SystemError.text(errno)).")
  }

  /// Creates a folder that only the host's user can access, unless it exists.
  static func make(_ folder: String) throws(TaskError) {
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw problem("made", folder) }
  }

  /// Writes a new file and syncs it. If that fails, the file is removed.
  static func write(_ bytes: [UInt8], to path: String) throws(TaskError) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw problem("made", path) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    // The database refers to this file, so it must be as durable as a database commit.
    let isWhole = rest.isEmpty && fsync(file) == 0
    // The error is built before `close`, which may change `errno`.
    let failure = problem("written", path)
    close(file)
    // A part of a file must not be taken for an artifact.
    guard isWhole else {
      unlink(path)
      throw failure
    }
  }

  /// Returns the bytes of a regular file. Links aren't followed, since a program may have made
  /// them.
  /// - Throws: `invalid` if it isn't a regular file or is larger than ``maxBytes``, `notReady` if
  ///   it can't be read.
  static func read(_ path: String) throws(TaskError) -> [UInt8] {
    // O_NONBLOCK, because opening a FIFO would otherwise wait for a writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { throw problem("read", path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw TaskError(.invalid, "It isn't a regular file.")
    }
    guard status.st_size <= maxBytes else {
      throw TaskError(
        .invalid, "It has \(status.st_size) bytes; an artifact has \(maxBytes) at most.")
    }
    var bytes = [UInt8](repeating: 0, count: Int(clamping: max(0, status.st_size)))
    var count = 0
    while count < bytes.count {
      let more = bytes.withUnsafeMutableBytes { [count] in
        Glibc.read(file, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if more < 0, errno == EINTR { continue }
      guard more > 0 else { break }
      count += more
    }
    // The file may have been truncated since `fstat`.
    return Array(bytes.prefix(count))
  }

  /// Returns the names in a folder; empty if it can't be read.
  static func names(in folder: String) -> [String] {
    guard let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Removes a folder with its files and subfolders. It ignores errors.
  static func removeFolder(_ path: String, depth: Int = 0) {
    for name in names(in: path) {
      let inner = "\(path)/\(name)"
      // The depth is limited, because a program chooses it and each level uses stack.
      if unlink(inner) != 0, errno == EISDIR, depth < 64 { removeFolder(inner, depth: depth + 1) }
    }
    rmdir(path)
  }
}

/// Determines the media type of a file from its name.
enum ArtifactMedia {
  private static let types = [
    "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip", "html": "text/html",
    "jpeg": "image/jpeg", "jpg": "image/jpeg", "json": "application/json",
    "jsonl": "application/x-ndjson", "log": "text/plain", "md": "text/markdown",
    "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml",
    "tar": "application/x-tar", "txt": "text/plain", "webp": "image/webp", "xml": "application/xml",
    "zip": "application/zip",
  ]

  static func type(ofName name: String) -> String {
    let end = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
    return end.flatMap { types[$0] } ?? "application/octet-stream"
  }
}
