internal import AgentSupervision
internal import AgentWorkerProtocol
internal import Glibc

/// How much of its sandbox a worker reached.
struct SandboxReport: Sendable {
  /// full, partial or none.
  let level: String
  /// What is missing, in words.
  let detail: String?
  let pid: Int32

  /// What a library worker said in LOADED.
  init(_ loaded: Loaded, pid: Int32) {
    level = loaded.sandbox.rawValue
    detail = loaded.sandboxDetail
    self.pid = pid
  }

  /// What the kernel says of a command's process, which can't be asked itself.
  init(commandWithPid pid: Int32) {
    self.pid = pid
    var fields: [Substring: Substring] = [:]
    for line in ProcessFile.read("/proc/\(pid)/status").split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { fields[parts[0]] = parts[1].drop { $0 == "\t" || $0 == " " } }
    }
    switch (fields["NoNewPrivs"], fields["Seccomp"]) {
    case ("1", "2"):
      level = "full"
      detail = nil
    case ("1", _):
      level = "partial"
      detail = "No seccomp filter is in force."
    default:
      level = "none"
      detail = nil
    }
  }
}

/// Small files under /proc.
enum ProcessFile {
  /// The beginning of a file; empty when it can't be read.
  static func read(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = Glibc.read(file, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }
}
