internal import AgentModules
internal import Glibc

/// A program and what it has started.
enum ProcessTree {
  /// Kills them all.
  static func kill(_ pid: pid_t) {
    // Stopped first, so that it starts nothing more while its children are looked for.
    _ = Glibc.kill(pid, SIGSTOP)
    for child in children(of: pid) { kill(child) }
    _ = Glibc.kill(pid, SIGKILL)
  }

  private static func children(of parent: pid_t) -> [pid_t] {
    FileSystem.names(in: "/proc").compactMap { pid_t($0) }.filter { self.parent(of: $0) == parent }
  }

  private static func parent(of pid: pid_t) -> pid_t? {
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.read("/proc/\(pid)/stat", limit: 4 << 10)
    } catch {
      // It has ended.
      return nil
    }
    // "PID (NAME) STATE PARENT …". A name may hold anything.
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return nil }
    return text[end...].split(separator: " ").dropFirst(2).first.flatMap { pid_t($0) }
  }
}
