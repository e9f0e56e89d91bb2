import Glibc

/// Reads a file that grows, is cut short, or is replaced by another of its name.
struct LogFollower: ~Copyable {
  /// Where to begin in a file that is there already.
  enum Start: String, Decodable, Sendable {
    case start
    case end
  }

  private let path: String
  private var descriptor: Int32 = -1
  private var start: Start
  private var splitter = LineSplitter()

  /// True when there is no such file now.
  private(set) var isMissing = false

  init(path: String, from start: Start) {
    self.path = path
    self.start = start
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
    if count > 0 { return splitter.add(chunk[..<count]) }
    // Nothing more in this one: only now may it be left for its successor.
    if isReplaced { shut() }
    return []
  }

  private mutating func open() {
    descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    isMissing = descriptor < 0
    if descriptor >= 0, start == .end { lseek(descriptor, 0, SEEK_END) }
    // Only the file that was there at first may have lines from before: its successors are new.
    start = .start
  }

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
  }

  private var isReplaced: Bool {
    var mine = stat()
    var named = stat()
    guard fstat(descriptor, &mine) == 0, stat(path, &named) == 0 else { return false }
    return mine.st_ino != named.st_ino || mine.st_dev != named.st_dev
  }
}
