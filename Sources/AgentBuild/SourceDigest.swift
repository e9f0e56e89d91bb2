internal import AgentModules
internal import Glibc

/// A short name for the contents of files and texts: FNV-1a with 64 bits. It tells versions apart;
/// it doesn't protect from forgery.
struct SourceDigest {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ text: String) {
    add(Array(text.utf8))
  }

  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes {
      value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    value = (value ^ 0xff) &* 0x100_0000_01b3
  }

  /// Adds what identifies a program without running it.
  mutating func add(program: String) {
    var status = stat()
    let path = FileSystem.realPath(program) ?? program
    guard stat(path, &status) == 0 else { return add(path) }
    add("\(path) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)")
  }

  /// Sixteen hexadecimal digits.
  var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
