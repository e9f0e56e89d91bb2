internal import AgentModules
internal import AgentText
internal import Glibc

/// A short name for the contents of files and texts. It tells versions apart; it doesn't protect
/// from forgery.
struct SourceDigest {
  private var value = FNV1a.hash(of: [UInt8]())

  mutating func add(_ text: String) {
    add(Array(text.utf8))
  }

  mutating func add(_ bytes: [UInt8]) {
    value = FNV1a.hash(of: bytes, after: value)
    // Parts don't run into one another.
    value = FNV1a.hash(of: CollectionOfOne<UInt8>(0xff), after: value)
  }

  /// Adds what identifies a program without running it.
  mutating func add(program: String) {
    var status = stat()
    let path = FileSystem.realPath(program) ?? program
    guard stat(path, &status) == 0 else { return add(path) }
    add("\(path) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)")
  }

  /// Sixteen hexadecimal digits.
  var text: String { Hexadecimal.text(value) }
}
