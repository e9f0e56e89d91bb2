internal import AgentJSON
package import AgentWorkerProtocol
internal import CSandbox
internal import Glibc

/// The level of the sandbox that a worker has reached. The program that entered the sandbox reports
/// it: `agent-worker` in LOADED, `agent-launch` with a record in the crash pipe, before it becomes
/// the command.
package struct SandboxReport: Sendable, Equatable {
  /// full, partial or none.
  package let level: String
  /// The missing parts, in words.
  package let detail: String?
  package let pid: Int32

  /// Reads the report of a library worker from LOADED.
  package init(_ loaded: Loaded, pid: Int32) {
    level = loaded.sandbox.rawValue
    detail = loaded.sandboxDetail
    self.pid = pid
  }
}

extension Loaded {
  /// LOADED of a command, with what its launcher said in place of what the command says itself.
  package func contained(as record: SandboxRecord?, isLaunched: Bool) -> Loaded {
    var loaded = self
    // The command's own claim is replaced in any case: it could say anything.
    loaded.sandbox = record?.level ?? SandboxReached.none
    loaded.sandboxDetail =
      record == nil && isLaunched ? "The launcher didn't report its sandbox." : record?.detail
    return loaded
  }
}

/// The launcher's record: `SANDBOX_RECORD_BYTES` of JSON and spaces, the first in the pipe.
package struct SandboxRecord: Sendable, Equatable {
  let level: Loaded.SandboxReached
  let detail: String?

  /// Reads the record from a pipe that doesn't block; nil when there is none, or it is none.
  package static func take(from descriptor: Int32) -> SandboxRecord? {
    var bytes = [UInt8](repeating: 0, count: Int(SANDBOX_RECORD_BYTES))
    var count = 0
    repeat {
      count = read(descriptor, &bytes, bytes.count)
    } while count < 0 && errno == EINTR
    return count == bytes.count ? SandboxRecord(bytes) : nil
  }

  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONDocument(parsing: bytes).root.value,
      let level = value["sandbox"]?.string.flatMap(Loaded.SandboxReached.init(rawValue:))
    else { return nil }
    self.level = level
    detail = value["detail"]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// Small files under /proc.
package enum ProcessFile {
  /// The beginning of a file; empty when it can't be read.
  package static func read(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = Glibc.read(file, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }
}
