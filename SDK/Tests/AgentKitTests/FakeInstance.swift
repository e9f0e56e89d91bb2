import AgentKit
import CAgentModule
import Synchronization
import Testing

/// A contribution as the host sees it: made from a descriptor, driven through the C functions.
final class FakeInstance: Sendable {
  let host: FakeHost
  nonisolated(unsafe) private let entry: agent_contribution_v1
  nonisolated(unsafe) private let instance: UnsafeMutableRawPointer?

  /// Creates the contribution of that name; throws what `create` says.
  init(_ name: String, of module: Module, settings: String = "{}", host: FakeHost) throws {
    self.host = host
    let entry = try #require(contributions(of: module).first { String(cString: $0.name) == name })
    let problem = Outcome()
    var made: UnsafeMutableRawPointer?
    let status = lent(settings) {
      entry.create(entry.type_ctx, host.table, $0, problem.completion(), &made)
    }
    self.entry = entry
    instance = made
    guard status == agent_status(AGENT_OK) else { throw problem.results.first ?? Outcome.Result() }
  }

  func start() -> Outcome {
    let ended = Outcome()
    _ = entry.start?(instance, ended.completion())
    return ended
  }

  func stop() -> Outcome {
    let done = Outcome()
    entry.stop?(instance, done.completion())
    return done
  }

  /// - Parameter sinkSize: what the host says of its struct; an older one has no `traceparent`.
  func invoke(
    _ call: UInt64 = 1, _ input: String, deadline: Int64 = 0, traceparent: String = "",
    tracestate: String = "",
    sinkSize: Int = MemoryLayout<agent_sink_v1>.size
  ) -> Outcome {
    let answer = Outcome()
    var sink = answer.sink()
    sink.size = UInt32(sinkSize)
    lent(traceparent) { traceparent in
      lent(tracestate) { tracestate in
        sink.traceparent = traceparent
        sink.tracestate = tracestate
        lent(input) { entry.invoke?(instance, call, $0, deadline, &sink) }
      }
    }
    return answer
  }

  func cancel(_ call: UInt64) {
    entry.cancel?(instance, call)
  }

  func callSync(_ input: String, capacity: Int = 16) -> (Int64, [UInt8]) {
    var out = [UInt8](repeating: 0, count: capacity)
    let count = lent(input) { input in
      out.withUnsafeMutableBufferPointer {
        entry.call_sync(instance, input, $0.baseAddress, $0.count)
      }
    }
    return (count, Array(out.prefix(max(0, Int(count)))))
  }

  func destroy() {
    entry.destroy?(instance)
  }
}

/// What came of something that completes: every completion is kept, so that a second one shows.
final class Outcome: Sendable {
  struct Result: Error, Equatable {
    var status: agent_status = -1
    var text = ""
  }

  private struct State {
    var results: [Result] = []
    var parts: [String] = []
    var logs: [String] = []
    var waiters: [CheckedContinuation<Result, Never>] = []
  }

  private let state = Mutex(State())

  var results: [Result] { state.withLock { $0.results } }
  var parts: [String] { state.withLock { $0.parts } }
  var logs: [String] { state.withLock { $0.logs } }

  /// The first result, once it is there.
  var result: Result {
    get async {
      await withCheckedContinuation { continuation in
        let ready = state.withLock { state -> Result? in
          if state.results.isEmpty { state.waiters.append(continuation) }
          return state.results.first
        }
        if let ready { continuation.resume(returning: ready) }
      }
    }
  }

  func completion() -> agent_completion {
    agent_completion(ctx: Unmanaged.passRetained(self).toOpaque()) { ctx, status, bytes in
      Outcome.from(ctx)?.add(Result(status: status, text: text(bytes)))
    }
  }

  func sink() -> agent_sink_v1 {
    agent_sink_v1(
      size: UInt32(MemoryLayout<agent_sink_v1>.size),
      ctx: Unmanaged.passRetained(self).toOpaque(),
      part: { ctx, bytes in
        let part = text(bytes)
        Outcome.from(ctx)?.state.withLock { $0.parts.append(part) }
      },
      finish: { ctx, status, bytes in
        Outcome.from(ctx)?.add(Result(status: status, text: text(bytes)))
      }, traceparent: agent_bytes(ptr: nil, len: 0), tracestate: agent_bytes(ptr: nil, len: 0),
      log: { ctx, level, bytes in
        let record = "\(level) \(text(bytes))"
        Outcome.from(ctx)?.state.withLock { $0.logs.append(record) }
      })
  }

  private static func from(_ ctx: UnsafeMutableRawPointer?) -> Outcome? {
    ctx.map { Unmanaged<Outcome>.fromOpaque($0).takeUnretainedValue() }
  }

  private func add(_ result: Result) {
    let waiters = state.withLock { state in
      state.results.append(result)
      defer { state.waiters = [] }
      return state.waiters
    }
    waiters.forEach { $0.resume(returning: result) }
  }
}

/// What a module's descriptor lists.
func contributions(of module: Module) -> [agent_contribution_v1] {
  guard let pointer = module.descriptor else { return [] }
  let descriptor = pointer.load(as: agent_module_descriptor_v1.self)
  return (0..<Int(descriptor.contribution_count)).compactMap { index in
    descriptor.contributions.map { $0[index] }
  }
}

/// Lends a text for the length of a call.
func lent<R>(_ text: String, _ body: (agent_bytes) -> R) -> R {
  var text = text
  return text.withUTF8 { body(agent_bytes(ptr: $0.baseAddress, len: $0.count)) }
}
