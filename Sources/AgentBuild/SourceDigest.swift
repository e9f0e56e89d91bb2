internal import AgentModules
internal import AgentText
internal import Glibc

/// A short digest of files and texts. It distinguishes versions but doesn't protect from forgery.
struct SourceDigest {
  private var value = FNV1a.hash(of: [UInt8]())

  mutating func add(_ text: String) {
    add(Array(text.utf8))
  }

  mutating func add(_ bytes: [UInt8]) {
    value = FNV1a.hash(of: bytes, after: value)
    // The separator distinguishes `ab`, `c` from `a`, `bc`. UTF-8 never contains this byte.
    value = FNV1a.hash(of: CollectionOfOne<UInt8>(0xff), after: value)
  }

  /// Adds the identity of a program: its path, size and time of change. The program isn't run.
  mutating func add(program: String) {
    var status = stat()
    let path = FileSystem.realPath(program) ?? program
    guard stat(path, &status) == 0 else { return add(path) }
    add("\(path) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)")
  }

  /// The digest as 16 hexadecimal digits.
  var text: String { Hexadecimal.text(value) }
}
