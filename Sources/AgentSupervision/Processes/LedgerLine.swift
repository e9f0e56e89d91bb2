import Glibc

/// A line of a ledger. It stands for a process that was started.
struct WorkerRecord: Equatable {
  var pid: Int32
  var start: UInt64
  var name: String

  init(pid: Int32, start: UInt64, name: String) {
    self.pid = pid
    self.start = start
    self.name = name
  }

  /// Parses `PID START NAME`. Returns `nil` for the line of an ended process and for any other
  /// text.
  init?(_ line: Substring) {
    let fields = line.split(separator: " ", maxSplits: 2)
    guard fields.count >= 2, let pid = Int32(fields[0]), pid > 1, let start = UInt64(fields[1])
    else { return nil }
    self.init(pid: pid, start: start, name: fields.count > 2 ? String(fields[2]) : "")
  }

  var text: String {
    "\(pid) \(start) \(String(name.map { $0.isNewline ? " " : $0 }))\n"
  }

  /// Returns the lines of a file that was written since the system started. Returns none if the
  /// file can't be read.
  static func read(_ path: String) -> [WorkerRecord] {
    let lines = SmallFile.text(path).split(separator: "\n")
    guard lines.first == "boot \(BootID.current)" else { return [] }
    return lines.compactMap { WorkerRecord($0) }
  }
}

/// Identifies a start of the system. Start times of processes are counted from it.
enum BootID {
  static let current = String(
    SmallFile.text("/proc/sys/kernel/random/boot_id").prefix { !$0.isNewline })
}

/// Reads small files of the host and of the kernel as a whole.
enum SmallFile {
  private static let greatest = 4 << 20

  static func bytes(_ path: String) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { _ = close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while bytes.count < greatest {
      let count = read(file, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  static func text(_ path: String) -> String {
    String(decoding: bytes(path), as: UTF8.self)
  }
}
