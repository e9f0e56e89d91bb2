import Glibc

/// A mounted file system.
struct Mount: Equatable, Sendable {
  var device: String
  var path: String

  /// Reads the text of `/proc/self/mounts`: what lies on a device, each device once, at the mount
  /// point that comes first.
  static func all(_ text: String) -> [Mount] {
    var seen: Set<Substring> = []
    return text.lines.compactMap { line in
      let words = line.words
      guard words.count >= 3, holdsData(device: words[0], kind: words[2]) else { return nil }
      guard seen.insert(words[0]).inserted else { return nil }
      return Mount(device: unescaped(words[0]), path: unescaped(words[1]))
    }
  }

  /// Loop devices hold images (snaps), which are always full.
  private static func holdsData(device: Substring, kind: Substring) -> Bool {
    if ["overlay", "zfs", "btrfs"].contains(kind) { return true }
    return device.hasPrefix("/dev/") && !device.hasPrefix("/dev/loop")
  }

  /// Blanks and backslashes are written as `\040`, three octal digits; see proc_mounts(5).
  private static func unescaped(_ word: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(word.utf8)[...]
    while let byte = rest.popFirst() {
      let code = String(decoding: rest.prefix(3), as: UTF8.self)
      if byte == UInt8(ascii: "\\"), rest.count >= 3, let value = UInt8(code, radix: 8) {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// How full a file system is, in bytes.
struct DiskUsage: Equatable, Sendable {
  var mount: Mount
  var total: UInt64
  var free: UInt64
  /// What those who aren't root may still use.
  var available: UInt64

  /// Asks the system; `nil` for what can't be reached or has no size.
  init?(_ mount: Mount) {
    var answer = statvfs()
    guard statvfs(mount.path, &answer) == 0, answer.f_blocks > 0 else { return nil }
    let block = UInt64(answer.f_frsize)
    self.init(
      mount: mount, total: UInt64(answer.f_blocks) &* block, free: UInt64(answer.f_bfree) &* block,
      available: UInt64(answer.f_bavail) &* block)
  }

  init(mount: Mount, total: UInt64, free: UInt64, available: UInt64) {
    self.mount = mount
    self.total = total
    self.free = free
    self.available = available
  }

  /// As `df` reckons: of what may be used, without the reserve for root.
  var usedPercent: Double {
    let used = total.since(free)
    let reachable = used &+ available
    return reachable == 0 ? 0 : Double(used) / Double(reachable) * 100
  }
}
