package import Glibc

/// The reasons why a file can't be used.
package enum FileFailure: Error, Hashable {
  case missing
  case folder
  case notRegular
  case tooLarge
  case unreadable(String)

  /// A sentence for the person who named the file.
  package var message: String {
    switch self {
    case .missing: "there is no such file."
    case .folder: "this is a folder, not a file."
    case .notRegular: "this is not a regular file."
    case .tooLarge: "the file is too large."
    case .unreadable(let reason): "the file can't be used: \(reason)."
    }
  }

  /// The code for programs.
  package var code: String {
    switch self {
    case .missing: "file_missing"
    case .folder: "file_is_folder"
    case .notRegular: "file_not_regular"
    case .tooLarge: "file_too_large"
    case .unreadable: "file_unreadable"
    }
  }
}

/// The file operations that manifests and settings need.
package enum FileSystem {
  /// Returns the contents of a regular file of at most `limit` bytes.
  package static func read(_ path: String, limit: Int = 64 << 20) throws(FileFailure) -> [UInt8] {
    FileProgress.current?.begins(path)
    // Without O_NONBLOCK, `open` would wait for a writer if the path is a named pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .folder
    default: throw .notRegular
    }
    guard status.st_size <= limit else { throw .tooLarge }
    return try readAll(descriptor, expecting: Int(status.st_size), limit: limit)
  }

  private static func readAll(
    _ descriptor: Int32, expecting size: Int, limit: Int
  ) throws(FileFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    var chunk = [UInt8](repeating: 0, count: min(max(size + 1, 4096), 1 << 20))
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(errno)
      }
      bytes += chunk[..<count]
      guard bytes.count <= limit else { throw .tooLarge }
    }
  }

  private static func failure(_ code: Int32) -> FileFailure {
    switch code {
    case ENOENT, ENOTDIR: .missing
    case EISDIR: .folder
    default: .unreadable(reason(code))
    }
  }

  /// Returns the system's message for an error number.
  package static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// Writes a temporary file beside `path` and renames it, so that a reader sees the old or the new
  /// contents, never a part. With `durable`, it waits until the disk has the contents and the name.
  package static func replace(
    _ path: String, with bytes: [UInt8], mode: mode_t = 0o644, durable: Bool = true
  ) throws(FileFailure) {
    FileProgress.current?.begins(path)
    let temporary = path + ".new-\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { throw failure(errno) }
    // `open` has removed the bits of the process's mask, so the mode is set again.
    fchmod(descriptor, mode)
    let written = write(bytes, to: descriptor) && (!durable || fsync(descriptor) == 0)
    let code = errno
    close(descriptor)
    guard written else {
      unlink(temporary)
      throw failure(code)
    }
    guard rename(temporary, path) == 0 else {
      let code = errno
      unlink(temporary)
      throw failure(code)
    }
    // Otherwise, the old file may be back after a power cut.
    if durable { try sync(folder: parent(path)) }
  }

  private static func sync(folder: String) throws(FileFailure) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      // A folder that may be written but not read can't be opened for the sync.
      if errno == EACCES { return }
      throw failure(errno)
    }
    defer { close(descriptor) }
    // Some file systems can't sync a folder and report EINVAL.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(errno) }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var position = 0
    while position < bytes.count {
      let count = bytes[position...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return false }
      position += count
    }
    return true
  }

  /// Returns the names in a folder, sorted. The result is empty if the folder can't be read.
  package static func names(in folder: String) -> [String] {
    FileProgress.current?.begins(folder)
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // The name is read in place. The entry ends with its name, so a copy of the whole field would
      // read beyond it.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Returns whether the path is a folder or a link to one.
  package static func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

  /// Returns whether the path exists.
  package static func exists(_ path: String) -> Bool { kind(of: path) != nil }

  private static func kind(of path: String) -> mode_t? {
    FileProgress.current?.begins(path)
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Returns whether other users than the owner may read or write the file.
  package static func isOpenToOthers(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
  }

  /// Returns the absolute path without links, `.` and `..`, or `nil` if it doesn't exist.
  package static func realPath(_ path: String) -> String? {
    FileProgress.current?.begins(path)
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the path of `name` in `folder`. An absolute name is returned unchanged.
  package static func join(_ folder: String, _ name: String) -> String {
    if name.hasPrefix("/") || folder.isEmpty || folder == "." { return name }
    return folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// Returns the part before the last slash.
  package static func parent(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the part after the last slash.
  package static func lastName(_ path: String) -> String {
    let trimmed = path.hasSuffix("/") && path.count > 1 ? path.dropLast() : path[...]
    guard let slash = trimmed.lastIndex(of: "/") else { return String(trimmed) }
    return String(trimmed[trimmed.index(after: slash)...])
  }

  /// Returns whether a relative path stays inside its folder. It examines only the text, not the
  /// links.
  package static func staysInside(_ path: String) -> Bool {
    guard !path.isEmpty, !path.hasPrefix("/"), !path.utf8.contains(0) else { return false }
    return !path.split(separator: "/", omittingEmptySubsequences: false).contains("..")
  }
}
