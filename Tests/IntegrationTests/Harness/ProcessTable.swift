import Glibc

/// Looks at processes in `/proc`.
enum ProcessTable {
  /// The processes whose environment has a variable with this value.
  static func pids(with variable: String) -> [pid_t] {
    let wanted = Array(variable.utf8)
    return TemporaryFolder.names(in: "/proc").compactMap { pid_t($0) }.filter { pid in
      guard let bytes = try? TemporaryFolder.bytes(ofFile: "/proc/\(pid)/environ") else {
        return false
      }
      return bytes.split(separator: 0).contains { $0.elementsEqual(wanted) }
    }
  }

  /// Whether a process runs; one that has ended and isn't waited for doesn't.
  static func isAlive(_ pid: Int) -> Bool {
    guard let stat = try? TemporaryFolder.bytes(ofFile: "/proc/\(pid)/stat") else { return false }
    let text = String(decoding: stat, as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return false }
    return !["Z", "X"].contains(text[end...].dropFirst(2).prefix(1))
  }
}
