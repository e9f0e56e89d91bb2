import AgentKit
import Glibc

/// A recorded file, read line by line.
final class Recording {
  /// A line that is not empty.
  struct Line {
    /// Which one it is, from 1.
    let number: Int
    let bytes: [UInt8]
    /// Where the next one begins.
    let end: Int64
  }

  private static let longestLine = 16 << 20

  let path: String
  /// Which file it is, whatever it is called; another one in its place has another.
  let identity: String
  /// How long it was when it was opened.
  let size: Int64

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  private var offset: Int64 = 0
  private var number = 0

  /// Opens a file.
  init(path: String) throws {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.unreadable(path, errno) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw ModuleError(.invalidSettings, "\(path) is no file of lines. Name a regular file.")
    }
    identity = "\(facts.st_dev):\(facts.st_ino)"
    size = Int64(facts.st_size)
  }

  deinit { close(descriptor) }

  /// Goes on at the beginning of a line.
  /// - Parameter lines: how many there are before it.
  func seek(to offset: Int64, after lines: Int) {
    lseek(descriptor, off_t(offset), SEEK_SET)
    buffer = []
    start = 0
    self.offset = offset
    number = lines
  }

  /// The next line that isn't empty; nil at the end.
  func next() throws -> Line? {
    while let bytes = try nextBytes() {
      number += 1
      offset += Int64(bytes.count) + 1
      if bytes.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) {
        // The last line may have no end.
        return Line(number: number, bytes: Array(bytes), end: min(offset, max(size, offset - 1)))
      }
    }
    return nil
  }

  private func nextBytes() throws -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return buffer[start..<end]
      }
      searched = buffer.count
      guard searched - start <= Self.longestLine else {
        throw ModuleError(.failed, "\(path):\(number + 1): the line is longer than 16 MiB.")
      }
      let (moved, isOver) = try fill(searched)
      searched = moved
      guard isOver else { continue }
      defer { start = buffer.count }
      return start < buffer.count ? buffer[start...] : nil
    }
  }

  /// Reads more. Returns where what is new begins, and whether nothing was left.
  private func fill(_ searched: Int) throws -> (Int, isOver: Bool) {
    if start > 0 { buffer.removeSubrange(..<start) }
    let begin = searched - start
    start = 0
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.unreadable(path, errno) }
      buffer += chunk[..<count]
      return (begin, count == 0)
    }
  }

  private static func unreadable(_ path: String, _ error: Int32) -> ModuleError {
    let hint =
      error == EACCES
      ? " The sandbox lets this module read its own folder and what its manifest permits: put the "
        + "file there, or add its folder to permissions.read in module.json." : ""
    return ModuleError(
      .invalidSettings, "\(path) can't be read: \(String(cString: strerror(error))).\(hint)")
  }
}
