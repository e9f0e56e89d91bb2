internal import CAgentModule
internal import Synchronization

/// The destination of one call's answer: parts and log records until the end, then the end once.
///
/// The lock is held while the host is called, so that no part can follow the end. The host's sink
/// copies the bytes and returns.
final class CallSink: Sendable {
  /// Field by field: an older host's struct is smaller than this side's.
  private struct Raw: @unchecked Sendable {
    // Rationale: the interface allows a sink to be used from any thread until `finish`.
    let ctx: UnsafeMutableRawPointer?
    let part: (@convention(c) (UnsafeMutableRawPointer?, agent_bytes) -> Void)?
    let finish: (@convention(c) (UnsafeMutableRawPointer?, agent_status, agent_bytes) -> Void)?
    let log: Log?
  }

  private typealias Log =
    @convention(c) (UnsafeMutableRawPointer?, agent_level, agent_bytes) -> Void

  /// The call of the current task. Child tasks inherit it, detached ones don't.
  @TaskLocal static var current: CallSink?

  private let raw: Mutex<Raw?>

  init(_ sink: UnsafePointer<agent_sink_v1>) {
    raw = Mutex(
      Raw(
        ctx: sink.pointee.ctx, part: sink.pointee.part, finish: sink.pointee.finish,
        log: Self.log(of: sink)))
  }

  /// An older host's sink has no such function.
  private static func log(of sink: UnsafePointer<agent_sink_v1>) -> Log? {
    guard let offset = MemoryLayout<agent_sink_v1>.offset(of: \.log),
      Int(sink.pointee.size) >= offset + MemoryLayout<Log?>.size
    else { return nil }
    return UnsafeRawPointer(sink).loadUnaligned(fromByteOffset: offset, as: Log?.self)
  }

  /// Sends a part; does nothing after the end.
  func part(_ bytes: [UInt8]) {
    raw.withLock { raw in
      guard let sink = raw else { return }
      lending(bytes) { sink.part?(sink.ctx, $0) }
    }
  }

  /// Writes a log record of the call. False after the end, and when the host accepts none.
  func log(_ level: LogLevel, _ message: String) -> Bool {
    raw.withLock { raw in
      guard let sink = raw, let log = sink.log else { return false }
      lending(message) { log(sink.ctx, level.rawValue, $0) }
      return true
    }
  }

  /// Ends the call. Only the first call has an effect.
  func finish(_ result: Result<JSONValue, ModuleError>) {
    raw.withLock { raw in
      guard let sink = raw else { return }
      raw = nil
      switch result {
      case .success(let value):
        lending(value.bytes()) { sink.finish?(sink.ctx, agent_status(AGENT_OK), $0) }
      case .failure(let error):
        lending(error.description) { sink.finish?(sink.ctx, error.code.rawValue, $0) }
      }
    }
  }
}
