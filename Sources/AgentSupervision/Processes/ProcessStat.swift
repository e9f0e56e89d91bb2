import Glibc

/// A process in the form of `/proc/PID/stat`.
struct ProcessStat: Equatable {
  var pid: Int32
  /// The thread under whose number `/proc` shows the memory and the files of the process: the first
  /// one, or another one if the first has ended.
  var thread: Int32
  var parent: Int32
  var group: Int32
  var isZombie: Bool
  /// Whether its first thread has ended and no other one could be read, so that its memory and its
  /// files are unknown.
  var isHidden = false
  /// The clock ticks of the process and of the children that it has reaped.
  var ticks: Int
  var threads: Int
  /// Resident memory in bytes.
  var resident: Int
  /// The clock ticks from the start of the system to the start of the process.
  var start: UInt64

  /// Reads a process by its pid. `nil` means that there is none.
  /// - Parameter listThreads: returns the threads of a process. Tests let them end.
  static func read(
    _ pid: Int32,
    listThreads: (Int32) -> [Int32] = { ProcessTable.pids(in: "/proc/\($0)/task") }
  ) -> ProcessStat? {
    var hidden: ProcessStat?
    // A few times, because a process could make threads without end.
    for _ in 0..<10 {
      guard var process = readFile(pid) else { return nil }
      // The first thread may end before the others. Its process then looks like a zombie without
      // memory and files. A module could hide all that it uses in this way.
      guard process.isZombie, process.threads > 1 else { return process }
      process.isZombie = false
      for thread in listThreads(pid) where thread != pid {
        // A thread that ends gives up its memory before it looks like a zombie.
        guard let other = readFile(thread), !other.isZombie, other.resident > 0 else { continue }
        process.resident = other.resident
        process.thread = thread
        return process
      }
      // Each thread of the list may have started another one and ended. The next list may have one
      // that lives long enough.
      process.isHidden = true
      hidden = process
    }
    return hidden
  }

  private static func readFile(_ pid: Int32) -> ProcessStat? {
    withFile("/proc/\(pid)/stat") { ProcessStat($0) }
  }

  /// Returns whether both are the same process. A reused pid has another start time.
  func isSame(as other: ProcessStat?) -> Bool { pid == other?.pid && start == other?.start }

  /// Parses a line such as `12 (a name) S 1 12 12 0 …`. The name may contain any character, even
  /// `)`.
  init?(_ line: UnsafeRawBufferPointer) {
    guard let close = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    var fields = FieldReader(line[(close + 1)...])
    guard let pid = Int32(exactly: FieldReader(line[...]).peekNumber()) else { return nil }
    (self.pid, thread) = (pid, pid)
    let state = fields.skip(1)
    isZombie = state == UInt8(ascii: "Z") || state == UInt8(ascii: "X")
    parent = Int32(truncatingIfNeeded: fields.number())
    group = Int32(truncatingIfNeeded: fields.number())
    _ = fields.skip(8)
    ticks = fields.number() &+ fields.number() &+ fields.number() &+ fields.number()
    _ = fields.skip(2)
    threads = fields.number()
    _ = fields.skip(1)
    start = UInt64(clamping: fields.number())
    _ = fields.skip(1)
    resident = fields.number() &* Self.pageSize
  }

  /// Calls `body` with the beginning of a small file.
  static func withFile<R>(
    _ path: String, size: Int = 1024, _ body: (UnsafeRawBufferPointer) -> R?
  ) -> R? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { _ = close(file) }
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { buffer in
      let count = Glibc.read(file, buffer.baseAddress, buffer.count)
      guard count > 0 else { return nil }
      return body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Returns the number of a line of `/proc/PID/status`, `nil` if it isn't among the first lines.
  static func status(_ name: String, of pid: Int32) -> Int? {
    withFile("/proc/\(pid)/status", size: 4096) { text in
      text.split(separator: UInt8(ascii: "\n")).lazy.compactMap { line -> Int? in
        guard line.starts(with: "\(name):".utf8) else { return nil }
        let digits = line.drop { $0 < 0x30 || $0 > 0x39 }.prefix { $0 >= 0x30 && $0 <= 0x39 }
        return digits.reduce(0) { $0 &* 10 &+ Int($1 - 0x30) }
      }.first
    }
  }

  private static let pageSize = Int(sysconf(Int32(clamping: _SC_PAGESIZE)))
}

/// Reads fields that are separated by spaces.
private struct FieldReader {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ bytes: Slice<UnsafeRawBufferPointer>) {
    rest = bytes
  }

  /// Skips fields. Returns the first byte of the last skipped one.
  mutating func skip(_ count: Int) -> UInt8? {
    var first: UInt8?
    for _ in 0..<count {
      rest = rest.drop { $0 == UInt8(ascii: " ") }
      first = rest.first
      rest = rest.drop { $0 != UInt8(ascii: " ") }
    }
    return first
  }

  /// Returns the next field as a number, 0 if it isn't one.
  mutating func number() -> Int {
    rest = rest.drop { $0 == UInt8(ascii: " ") }
    let value = peekNumber()
    rest = rest.drop { $0 != UInt8(ascii: " ") }
    return value
  }

  func peekNumber() -> Int {
    var value = 0
    for byte in rest {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { break }
      value = value &* 10 &+ Int(byte - UInt8(ascii: "0"))
    }
    return value
  }
}
