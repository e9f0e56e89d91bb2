import Glibc

extension TimeZoneDatabase {
  /// Returns the names of all zones in the folder, sorted. The result is empty if the folder can't
  /// be read.
  public func names() -> [String] {
    var names: [String] = []
    collect(into: &names, below: "", depth: 3)
    return names.sorted()
  }

  /// The names of zones begin with capital letters. Other entries are tables, or the same zones for
  /// other purposes (`posix`, `right`).
  private func collect(into names: inout [String], below prefix: String, depth: Int) {
    guard depth > 0, let folder = opendir(path(prefix)) else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let type = Int32(entry.pointee.d_type)
      let length = Int(entry.pointee.d_reclen)
      let part = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix(length).prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let first = part.utf8.first, (0x41...0x5a).contains(first), Self.isName(part) else {
        continue
      }
      let name = prefix.isEmpty ? part : "\(prefix)/\(part)"
      if type == Int32(DT_DIR) {
        collect(into: &names, below: name, depth: depth - 1)
      } else {
        names.append(name)
      }
    }
  }
}
