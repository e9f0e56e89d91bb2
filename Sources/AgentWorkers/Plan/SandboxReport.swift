internal import AgentJSON
package import AgentWorkerProtocol
internal import CSandbox
internal import Glibc

/// The level of the sandbox that a worker has reached. The program that enters the sandbox,
/// `agent-worker` or `agent-launch`, writes it as a record to the crash pipe before any code of the
/// module runs.
package struct SandboxReport: Sendable, Equatable {
  /// The level: `full`, `partial` or `none`.
  package let level: String
  /// The missing parts of the sandbox, in words.
  package let detail: String?
  package let pid: Int32

  /// Creates the report from the LOADED of a worker.
  package init(_ loaded: Loaded, pid: Int32) {
    level = loaded.sandbox.rawValue
    detail = loaded.sandboxDetail
    self.pid = pid
  }
}

extension Loaded {
  /// Returns LOADED with the sandbox of the record. The claim in LOADED is replaced.
  /// - Parameters:
  ///   - record: the record of the program that enters the sandbox. Nil means that there is none.
  ///   - isExpected: whether a program was started that writes a record.
  package func contained(as record: SandboxRecord?, isExpected: Bool) -> Loaded {
    var loaded = self
    // The host always replaces the claim, because the code of a module can send LOADED itself. A
    // command does, and a library has the socket of its worker.
    loaded.sandbox = record?.level ?? SandboxReached.none
    loaded.sandboxDetail =
      record == nil && isExpected
      ? "The program that enters the sandbox didn't report it." : record?.detail
    return loaded
  }
}

/// The record of a sandbox by the program that has entered it. It is the first content of the crash
/// pipe and has `SANDBOX_RECORD_BYTES` bytes: JSON, then spaces.
package struct SandboxRecord: Sendable, Equatable {
  let level: Loaded.SandboxReached
  let detail: String?

  /// Reads the record from a pipe that doesn't block. Returns nil if the pipe has no record, or if
  /// its content isn't a record.
  package static func take(from descriptor: Int32) -> SandboxRecord? {
    var bytes = [UInt8](repeating: 0, count: Int(SANDBOX_RECORD_BYTES))
    var count = 0
    repeat {
      count = read(descriptor, &bytes, bytes.count)
    } while count < 0 && errno == EINTR
    return count == bytes.count ? SandboxRecord(bytes) : nil
  }

  /// Returns the content of a crash pipe without the record, if it begins with one. A worker that
  /// ended before LOADED has left it there.
  package static func dropFirst(of bytes: [UInt8]) -> [UInt8] {
    let size = Int(SANDBOX_RECORD_BYTES)
    guard bytes.count >= size, SandboxRecord(Array(bytes[..<size])) != nil else { return bytes }
    return Array(bytes[size...])
  }

  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONDocument(parsing: bytes).root.value,
      let level = value["sandbox"]?.string.flatMap(Loaded.SandboxReached.init(rawValue:))
    else { return nil }
    self.level = level
    detail = value["detail"]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// Reads small files under /proc.
package enum ProcessFile {
  /// Returns the beginning of a file, up to 8,192 bytes. Returns an empty text if the file can't be
  /// read.
  package static func read(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = Glibc.read(file, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }
}
