import AgentKit
import Glibc

/// Writes a tar archive (POSIX.1, "ustar Interchange Format"; long names and large files as GNU tar
/// has them) into a file that has its name only once it is complete.
struct TarArchive: ~Copyable {
  private static let block = 512

  let path: String
  private let partial: String
  private let descriptor: Int32
  private var isDone = false
  private var hash = SHA256()
  /// Bytes of the archive.
  private(set) var size: UInt64 = 0
  /// The archive itself, which is in no archive.
  let identity: FileIdentity

  init(path: String) throws {
    self.path = path
    partial = path + ".part"
    descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Refusal.error("written", partial, key: "write") }
    var status = stat()
    identity = fstat(descriptor, &status) == 0 ? FileIdentity(status) : FileIdentity(stat())
  }

  deinit {
    close(descriptor)
    if !isDone { unlink(partial) }
  }

  /// Adds what stands at a path under a name.
  /// - Returns: how many bytes of contents.
  mutating func add(_ source: String, as name: String, _ status: stat) throws -> UInt64 {
    switch status.st_mode & S_IFMT {
    case S_IFDIR: try header(name + "/", status, size: 0, kind: "5")
    case S_IFLNK:
      var target = [CChar](repeating: 0, count: 4096)
      let count = readlink(source, &target, target.count)
      guard count >= 0 else { throw Refusal.error("read", source, key: "read") }
      try header(
        name, status, size: 0, kind: "2", link: target[..<count].map { UInt8(bitPattern: $0) })
    default: return try contents(of: source, as: name, status)
    }
    return 0
  }

  private mutating func contents(
    of source: String, as name: String, _ status: stat
  ) throws -> UInt64 {
    let file = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw Refusal.error("read", source, key: "read") }
    defer { close(file) }
    let size = UInt64(max(0, status.st_size))
    try header(name, status, size: size, kind: "0")
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    var left = size
    while left > 0 {
      let count = read(file, &chunk, min(chunk.count, Int(clamping: left)))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Refusal.error("read", source, key: "read") }
      // A file that has become shorter meanwhile is filled up: its size is written already.
      if count == 0 { for index in chunk.indices { chunk[index] = 0 } }
      let taken = count == 0 ? min(chunk.count, Int(clamping: left)) : count
      try write(chunk[..<taken])
      left -= UInt64(taken)
      try Task.checkCancellation()
    }
    try pad(size)
    return size
  }

  /// Ends the archive and gives it its name.
  /// - Returns: its SHA-256.
  mutating func finish() throws -> String {
    try write([UInt8](repeating: 0, count: 2 * Self.block)[...])
    guard fsync(descriptor) == 0, rename(partial, path) == 0 else {
      throw Refusal.error("written", path, key: "write")
    }
    isDone = true
    return hash.digest()
  }

  // MARK: Blocks

  private mutating func header(
    _ name: String, _ status: stat, size: UInt64, kind: Character, link: [UInt8] = []
  ) throws {
    let bytes = Array(name.utf8)
    if bytes.count > 100 { try long(bytes, "L") }
    if link.count > 100 { try long(link, "K") }
    try write(
      Self.header(
        name: bytes, mode: UInt64(status.st_mode & 0o7777),
        owner: (UInt64(status.st_uid), UInt64(status.st_gid)), size: size,
        time: UInt64(max(0, status.st_mtim.tv_sec)), kind: kind, link: link)[...])
  }

  private mutating func long(_ text: [UInt8], _ kind: Character) throws {
    let bytes = text + [0]
    try write(
      Self.header(
        name: Array("././@LongLink".utf8), mode: 0, owner: (0, 0), size: UInt64(bytes.count),
        time: 0, kind: kind, link: [])[...])
    try write(bytes[...])
    try pad(UInt64(bytes.count))
  }

  private static func header(
    name: [UInt8], mode: UInt64, owner: (UInt64, UInt64), size: UInt64, time: UInt64,
    kind: Character, link: [UInt8]
  ) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: block)
    func put(_ bytes: some Sequence<UInt8>, at place: Int, most: Int) {
      for (index, byte) in bytes.prefix(most).enumerated() { header[place + index] = byte }
    }
    put(name, at: 0, most: 100)
    put(number(mode, 8), at: 100, most: 8)
    put(number(owner.0, 8), at: 108, most: 8)
    put(number(owner.1, 8), at: 116, most: 8)
    put(number(size, 12), at: 124, most: 12)
    put(number(time, 12), at: 136, most: 12)
    put([UInt8](repeating: 0x20, count: 8), at: 148, most: 8)
    put(String(kind).utf8, at: 156, most: 1)
    put(link, at: 157, most: 100)
    put("ustar  ".utf8, at: 257, most: 8)
    let sum = header.reduce(UInt64(0)) { $0 + UInt64($1) }
    put(number(sum, 7) + [0x20], at: 148, most: 8)
    return header
  }

  /// Octal digits and a NUL; what is too large for them as GNU tar has it, in binary.
  private static func number(_ value: UInt64, _ width: Int) -> [UInt8] {
    let digits = Array(String(value, radix: 8).utf8)
    guard digits.count < width else {
      var bytes = (0..<width).map { index in
        index < width - 8 ? 0 : UInt8(truncatingIfNeeded: value >> (8 * UInt64(width - 1 - index)))
      }
      bytes[0] = 0x80
      return bytes
    }
    return [UInt8](repeating: 0x30, count: width - 1 - digits.count) + digits + [0]
  }

  private mutating func pad(_ size: UInt64) throws {
    let rest = Int(size % UInt64(Self.block))
    if rest > 0 { try write([UInt8](repeating: 0, count: Self.block - rest)[...]) }
  }

  private mutating func write(_ bytes: ArraySlice<UInt8>) throws {
    hash.update(bytes)
    size += UInt64(bytes.count)
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Refusal.error("written", partial, key: "write") }
      rest = rest.dropFirst(count)
    }
  }
}

/// What tells a file from all others.
struct FileIdentity: Hashable {
  private let device: UInt64
  private let number: UInt64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}

/// Why something can't be read or written, for people.
enum Refusal {
  static func error(_ what: String, _ path: String, key: String) -> ModuleError {
    let number = errno
    let reason = String(cString: strerror(number))
    guard number == EACCES || number == EPERM else {
      return ModuleError(.failed, "\(path) can't be \(what): \(reason).")
    }
    return ModuleError(
      .invalidArgument,
      "\(path) can't be \(what): \(reason). The agent's user needs the right to it, and the module "
        + "the permission: name the folder under permissions.\(key) in modules/system/module.json.")
  }
}
