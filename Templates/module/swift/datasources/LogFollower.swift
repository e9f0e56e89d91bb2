import Glibc

/// Reads a file that grows, is cut short, or is replaced by another of its name.
struct LogFollower: ~Copyable {
  /// Where to begin in a file that is there already.
  enum Start: String, Decodable, Sendable {
    case start
    case end
  }

  /// How far a file was read: to the end of its last line.
  struct Position: Codable, Hashable, Sendable {
    var path: String
    /// What stays the same while it is renamed; a text, since the numbers may be large.
    var file: String
    var offset: Int64
  }

  private let path: String
  private var descriptor: Int32 = -1
  private var start: Start
  private var splitter = LineSplitter()

  /// True when there is no such file now.
  private(set) var isMissing = false
  /// Where to go on after a restart; nil before the file was opened.
  private(set) var position: Position?

  /// Goes on behind a position that was kept; else it begins at the start or the end.
  init(path: String, from start: Start, after kept: Position? = nil) {
    self.path = path
    self.start = start
    position = kept
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// What has been written since the last time, up to some 64 KB.
  mutating func read() -> [String] {
    if descriptor < 0 { open() }
    guard descriptor >= 0 else { return [] }
    rewindIfCut()
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = Glibc.read(descriptor, &chunk, chunk.count)
    if count > 0 {
      if let end = chunk[..<count].lastIndex(of: UInt8(ascii: "\n")) {
        readTo(Int64(lseek(descriptor, 0, SEEK_CUR)) - Int64(count - end - 1))
      }
      return splitter.add(chunk[..<count])
    }
    // Nothing more in this one: only now may it be left for its successor.
    if isReplaced { shut() }
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
    readTo(Int64(lseek(descriptor, 0, SEEK_CUR)))
  }

  private mutating func readTo(_ offset: Int64) {
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
    readTo(0)
  }

  private var isReplaced: Bool {
    var mine = stat()
    var named = stat()
    guard fstat(descriptor, &mine) == 0, stat(path, &named) == 0 else { return false }
    return mine.st_ino != named.st_ino || mine.st_dev != named.st_dev
  }
}
