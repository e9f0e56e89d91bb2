internal import AgentSystem
internal import Glibc

/// The size and age at which a log file is rotated, and the number of old files.
package struct LogRotation: Sendable, Hashable {
  /// The size in bytes at which the file is rotated, at least 4,096.
  package var maxBytes: Int
  /// The age in seconds at which the file is rotated, at least 60.
  package var maxAge: Int
  /// The number of old files, from `NAME.1` (the newest) to `NAME.n`.
  package var keep: Int

  package init(maxBytes: Int = 10 << 20, maxAge: Int = 7 * 86_400, keep: Int = 5) {
    self.maxBytes = max(4096, maxBytes)
    self.maxAge = max(60, maxAge)
    self.keep = max(0, keep)
  }
}

/// A file for appending that is rotated by size and age. Only one thread may use it at a time.
struct RotatingFile {
  let path: String
  let rotation: LogRotation
  /// The reason why the last write failed, or `nil` if it succeeded.
  private(set) var problem: String?
  private var descriptor: Int32 = -1
  private var size = 0
  private var startedAt: Int64 = 0

  init(path: String, rotation: LogRotation) {
    self.path = path
    self.rotation = rotation
  }

  /// Appends bytes, which must end in a newline. Returns false if the file can't be written. It
  /// doesn't throw, because a failing log must not stop the work that it logs.
  mutating func append(_ bytes: [UInt8], now: Int64) -> Bool {
    let isWritten = write(bytes, now: now)
    problem = isWritten ? nil : SystemError.text(errno)
    return isWritten
  }

  private mutating func write(_ bytes: [UInt8], now: Int64) -> Bool {
    if descriptor < 0, !open(now: now) { return false }
    let isTooOld = now.subtracting(startedAt) > Int64(rotation.maxAge).multiplied(1000)
    if size > 0, size + bytes.count > rotation.maxBytes || isTooOld {
      rotate()
      if !open(now: now) { return false }
    }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count < 0 {
        if errno == EINTR { continue }
        return false
      }
      written += count
    }
    size += written
    return true
  }

  mutating func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  private mutating func open(now: Int64) -> Bool {
    descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { return true }
    size = Int(information.st_size)
    // Not every file system stores the birth of a file, so the time of the last change is used.
    startedAt = size == 0 ? now : min(now, Int64(information.st_mtim.tv_sec).multiplied(1000))
    return true
  }

  private mutating func rotate() {
    close()
    guard rotation.keep > 0 else {
      unlink(path)
      return
    }
    // From the oldest file on, so that no rename overwrites a file that is kept.
    for number in stride(from: rotation.keep - 1, through: 1, by: -1) {
      rename("\(path).\(number)", "\(path).\(number + 1)")
    }
    rename(path, "\(path).1")
  }
}
