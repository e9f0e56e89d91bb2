import Glibc

extension StringProtocol {
  /// The lines, without empty ones.
  var lines: [SubSequence] { split(separator: "\n") }

  /// The words between spaces and tabs.
  var words: [SubSequence] { split { $0 == " " || $0 == "\t" } }
}

extension UInt64 {
  /// How much a counter has grown; 0 when it has been reset.
  func since(_ earlier: UInt64) -> UInt64 { self >= earlier ? self - earlier : 0 }
}

/// The text of a file such as those of `/proc`, whose size isn't known; `nil` when it can't be
/// read.
func text(of path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 16 << 10)
  while true {
    let count = read(descriptor, &chunk, chunk.count)
    if count < 0 && errno == EINTR { continue }
    guard count > 0 else { return count == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
    bytes += chunk[..<count]
  }
}

/// The names in a folder.
func names(in folder: String) -> [String] {
  guard let stream = opendir(folder) else { return [] }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    names.append(
      withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      })
  }
  return names
}
