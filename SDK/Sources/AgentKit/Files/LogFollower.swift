internal import Glibc

/// Reads the lines of a file that grows, is truncated, or is replaced by another of the same name,
/// as log files are.
///
/// ```swift
/// var follower = LogFollower(path: "/var/log/syslog", from: .end, after: kept)
/// while true {
///   let lines = follower.read()
///   if lines.isEmpty { try await host.sleep(for: .milliseconds(500)) }
/// }
/// ```
///
/// Store ``position`` in the process's state once the lines are processed, and pass it to the next
/// worker's follower. No line is then missing after a restart.
public struct LogFollower: ~Copyable, Sendable {
  /// Where to begin in a file that exists already.
  public enum Start: String, Codable, Sendable, CaseIterable {
    /// With its first line.
    case start
    /// With the next line that is written.
    case end
  }

  /// How far a file was read: to the end of its last complete line.
  public struct Position: Codable, Hashable, Sendable {
    /// The path that was followed.
    public let path: String
    /// The file's device and inode numbers, which survive a rename. A text, since the numbers may
    /// be larger than JSON readers accept.
    public let file: String
    /// The number of bytes before the next line.
    public let offset: Int64
  }

  /// The path that is followed.
  public let path: String
  /// Whether the file didn't exist at the latest read.
  public private(set) var isMissing = false
  /// Where to continue after a restart; `nil` before a file was opened for the first time.
  public private(set) var position: Position?

  private var descriptor: Int32 = -1
  private var start: Start
  private var splitter = LineSplitter()

  /// Continues after a stored position. Without one, or with one of another path, it begins at the
  /// start or the end. Opens nothing yet.
  public init(path: String, from start: Start, after kept: Position? = nil) {
    self.path = path
    self.start = start
    position = kept?.path == path ? kept : nil
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The lines that have become complete since the last call, from at most 64 KB of the file. Never
  /// waits for a regular file. Empty when there was nothing to read: call again later.
  public mutating func read() -> [String] {
    if descriptor < 0 { open() }
    guard descriptor >= 0 else { return [] }
    rewindIfCut()
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = Glibc.read(descriptor, &chunk, chunk.count)
    if count > 0 {
      if let end = chunk[..<count].lastIndex(of: UInt8(ascii: "\n")) {
        isRead(to: Int64(lseek(descriptor, 0, SEEK_CUR)) - Int64(count - end - 1))
      }
      return splitter.lines(of: chunk[..<count])
    }
    // This file has nothing more to read: only now may its successor be opened.
    if count == 0, isReplaced { shut() }
    return []
  }

  private mutating func open() {
    descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    isMissing = descriptor < 0
    if descriptor >= 0 { begin() }
    // Only the first file may have lines from before the start: its successors are new.
    start = .start
  }

  private mutating func begin() {
    var now = stat()
    guard fstat(descriptor, &now) == 0 else { return }
    if let position {
      // Another file of this name, or one that was truncated, is read from its beginning.
      let goesOn = position.file == Self.identity(now) && position.offset <= now.st_size
      lseek(descriptor, goesOn ? off_t(position.offset) : 0, SEEK_SET)
    } else if start == .end {
      lseek(descriptor, 0, SEEK_END)
    }
    isRead(to: Int64(lseek(descriptor, 0, SEEK_CUR)))
  }

  private mutating func isRead(to offset: Int64) {
    var now = stat()
    guard fstat(descriptor, &now) == 0 else { return }
    position = Position(path: path, file: Self.identity(now), offset: offset)
  }

  private static func identity(_ status: stat) -> String { "\(status.st_dev):\(status.st_ino)" }

  private mutating func shut() {
    close(descriptor)
    descriptor = -1
    splitter = LineSplitter()
  }

  private mutating func rewindIfCut() {
    var now = stat()
    guard fstat(descriptor, &now) == 0, now.st_size < lseek(descriptor, 0, SEEK_CUR) else { return }
    lseek(descriptor, 0, SEEK_SET)
    splitter = LineSplitter()
    isRead(to: 0)
  }

  private var isReplaced: Bool {
    var mine = stat()
    var named = stat()
    guard fstat(descriptor, &mine) == 0, stat(path, &named) == 0 else { return false }
    return mine.st_ino != named.st_ino || mine.st_dev != named.st_dev
  }
}
