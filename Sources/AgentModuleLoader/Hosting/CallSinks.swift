import CAgentModule
import Synchronization

/// Receives the parts, the log records and the end of a call.
public struct CallSink: Sendable {
  let part: @Sendable ([UInt8]) -> Void
  let log: @Sendable (UInt32, String) -> Void
  let finish: @Sendable (ModuleStatus, [UInt8]) -> Void

  /// Creates a sink. `part` and `log` (with `AGENT_TRACE` … `AGENT_CRITICAL`) may be called any
  /// number of times before `finish`, which is called once. All may be called on any thread.
  public init(
    part: @escaping @Sendable ([UInt8]) -> Void,
    log: @escaping @Sendable (UInt32, String) -> Void = { _, _ in },
    finish: @escaping @Sendable (ModuleStatus, [UInt8]) -> Void
  ) {
    self.part = part
    self.log = log
    self.finish = finish
  }
}

/// The sinks that C code refers to by number, for the same reason as in `Completions`.
enum CallSinks {
  private struct Table {
    var sinks: [UInt: CallSink] = [:]
    var last: UInt = 0
  }

  private static let table = Mutex(Table())

  /// Returns a sink for C. It becomes invalid when C calls `finish`.
  static func make(
    _ sink: CallSink, traceparent: agent_bytes, tracestate: agent_bytes
  ) -> agent_sink_v1 {
    agent_sink_v1(
      size: UInt32(MemoryLayout<agent_sink_v1>.size),
      ctx: UnsafeMutableRawPointer(bitPattern: add(sink)),
      part: { ctx, part in CallSinks.find(ctx)?.part(part.copy) },
      finish: { ctx, status, result in
        CallSinks.take(ctx)?.finish(ModuleStatus(module: status), result.copy)
      }, traceparent: traceparent, tracestate: tracestate,
      log: { ctx, level, message in CallSinks.find(ctx)?.log(level, message.text) })
  }

  private static func add(_ sink: CallSink) -> UInt {
    table.withLock { table in
      // 0 is left out, because it would be a null pointer. After an overflow, a number may still be
      // in use.
      repeat {
        table.last = table.last == .max ? 1 : table.last + 1
      } while table.sinks[table.last]
        != nil
      table.sinks[table.last] = sink
      return table.last
    }
  }

  private static func find(_ ctx: UnsafeMutableRawPointer?) -> CallSink? {
    // The sink is called outside the lock, because it may lead to another call.
    table.withLock { $0.sinks[UInt(bitPattern: ctx)] }
  }

  private static func take(_ ctx: UnsafeMutableRawPointer?) -> CallSink? {
    table.withLock { $0.sinks.removeValue(forKey: UInt(bitPattern: ctx)) }
  }
}
