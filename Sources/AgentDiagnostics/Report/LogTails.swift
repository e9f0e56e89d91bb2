internal import AgentModules
internal import AgentSettings
internal import Glibc

/// The last lines of an agent's log files, without secrets.
struct LogTails {
  /// The last lines of one file.
  struct File {
    let name: String
    let text: String
  }

  /// The largest size of one tail in bytes, and of all tails.
  private static let most = 256 << 10
  private static let maxOfAll = 8 << 20

  let files: [File]

  /// Reads the current log files. Rotated files are left out.
  init(folder: String, redactor: Redactor) {
    var files: [File] = []
    var left = Self.maxOfAll
    for name in FileSystem.names(in: folder) where name.hasSuffix(".jsonl") || name == "agent.out" {
      guard left > 0 else { break }
      let text = Self.tail(of: "\(folder)/\(name)", most: min(Self.most, left))
      left -= text.utf8.count
      files.append(File(name: name, text: redactor.redact(text)))
    }
    self.files = files
  }

  /// Returns the last whole lines of a file.
  static func tail(of path: String, most: Int) -> String {
    // Without O_NONBLOCK, a pipe with that name would block the call.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    let size = lseek(descriptor, 0, SEEK_END)
    let start = max(0, size - most)
    lseek(descriptor, start, SEEK_SET)
    var bytes = [UInt8](repeating: 0, count: max(0, size - start))
    var count = 0
    while count < bytes.count {
      let result = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if result < 0 && errno == EINTR { continue }
      guard result > 0 else { break }
      count += result
    }
    var tail = bytes[..<count]
    // The first line is incomplete. It may contain a part of a secret, which redaction wouldn't
    // find.
    if start > 0 { tail = tail.drop { $0 != 10 }.dropFirst() }
    return String(decoding: tail, as: UTF8.self)
  }
}
