internal import Glibc

/// The lines of a file that grows, is cut short, or is replaced by another of its name, as log
/// files are.
///
/// ```swift
/// var follower = LogFollower(path: "/var/log/syslog", from: .end, after: kept)
/// while true {
///   let lines = follower.read()
///   if lines.isEmpty { try await host.sleep(for: .milliseconds(500)) }
/// }
/// ```
///
/// Keep ``position`` in the process's state once the lines are dealt with, and give it to the next
/// worker's follower: none of them is missing then after a restart.
public struct LogFollower: ~Copyable, Sendable {
  /// Where to begin in a file that is there already.
  public enum Start: String, Codable, Sendable, CaseIterable {
    /// With what is in it.
    case start
    /// With what is written from now on.
    case end
  }

  /// How far a file was read: to the end of its last complete line.
  public struct Position: Codable, Hashable, Sendable {
    /// The path that was followed.
    public let path: String
    /// Device and number of the file, which stay while it is renamed. A text, since the numbers may
    /// be larger than JSON's readers take.
    public let file: String
    /// The bytes before the next line.
    public let offset: Int64
  }

  /// The path that is followed.
  public let path: String
  /// Whether there was no such file when it was looked for last.
  public private(set) var isMissing = false
  /// Where to go on after a restart; `nil` before a file was opened for the first time.
  public private(set) var position: Position?

  private var descriptor: Int32 = -1
  private var start: Start
  private var splitter = LineSplitter()

  /// Goes on behind a position that was kept; without one, or with one of another path, it begins
  /// at the start or the end. Opens nothing yet.
  public init(path: String, from start: Start, after kept: Position? = nil) {
    self.path = path
    self.start = start
    position = kept?.path == path ? kept : nil
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The lines that have become complete since the last time, of 64 KB of the file at most. Never
  /// waits for a regular file. Empty when there was nothing to read: look again a while later.
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
    // Nothing more in this one: only now may it be left for its successor.
    if count == 0, isReplaced { shut() }
    return []
  }

  private mutating func open() {
    descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    isMissing = descriptor < 0
    if descriptor >= 0 { begin() }
    // Only the file that was there at first may have lines from before: its successors are new.
    start = .start
  }

  private mutating func begin() {
    var now = stat()
    guard fstat(descriptor, &now) == 0 else { return }
    if let position {
      // Another file of this name, or one that was cut short, is new from its beginning.
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
