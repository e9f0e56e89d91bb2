import AgentJSON
import AgentKit
import CAgentModule
import Synchronization

/// A host on the other side of the C interface: plays the module thread, counts completions.
final class FakeHost: Sendable {
  struct Published: Sendable {
    let events: JSONValue
    let accept: @Sendable (agent_status) -> Void
  }

  /// A call of a service, and how to answer it.
  struct Asked: Sendable {
    let method: String
    let input: String
    var traceparent = ""
    let answer: @Sendable (agent_status, String) -> Void
  }

  struct State {
    var logs: [String] = []
    var published: [Published] = []
    var subscriber: UInt = 0
    var requests: [JSONValue] = []
    var acknowledged: [UInt32] = []
    var unsubscribed = 0
    /// The calls of services that aren't answered yet.
    var calls: [Asked] = []
  }

  let state = Mutex(State())
  let answers: Bool
  nonisolated(unsafe) private let host: UnsafeMutablePointer<agent_host_v1>
  nonisolated(unsafe) private let events: UnsafeMutablePointer<agent_events_v1>
  nonisolated(unsafe) private let kept: UnsafeMutablePointer<agent_service_v1>

  /// `answers`: publishing is accepted at once.
  init(answers: Bool = true) {
    self.answers = answers
    host = .allocate(capacity: 1)
    events = .allocate(capacity: 1)
    kept = .allocate(capacity: 1)
    let me = Unmanaged.passUnretained(self).toOpaque()
    events.initialize(to: Self.eventsTable(me))
    kept.initialize(to: Self.serviceTable(me))
    host.initialize(to: Self.hostTable(me))
  }

  deinit {
    host.deallocate()
    events.deallocate()
    kept.deallocate()
  }

  var table: UnsafePointer<agent_host_v1> { UnsafePointer(host) }

  /// The subscriber that the module lent.
  var subscriber: agent_subscriber_v1? {
    UnsafePointer<agent_subscriber_v1>(bitPattern: state.withLock { $0.subscriber })?.pointee
  }

  private static func from(_ ctx: UnsafeMutableRawPointer?) -> FakeHost? {
    ctx.map { Unmanaged<FakeHost>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func hostTable(_ me: UnsafeMutableRawPointer) -> agent_host_v1 {
    agent_host_v1(
      size: UInt32(MemoryLayout<agent_host_v1>.size), abi: AGENT_ABI, ctx: me,
      log: { ctx, _, message in
        let message = text(message)
        FakeHost.from(ctx)?.state.withLock { $0.logs.append(message) }
      },
      now: { _ in 1_000_000 },
      get_extension: { ctx, id in
        guard let id, let host = FakeHost.from(ctx) else { return nil }
        switch String(cString: id) {
        case AGENT_EVENTS_V1: return UnsafeRawPointer(host.events)
        case AGENT_STATE_V1, AGENT_METRICS_V1: return UnsafeRawPointer(host.kept)
        default: return nil
        }
      })
  }

  private static func serviceTable(_ me: UnsafeMutableRawPointer) -> agent_service_v1 {
    agent_service_v1(
      size: UInt32(MemoryLayout<agent_service_v1>.size), ctx: me,
      call: { me, method, input, done in
        let call = done.call
        nonisolated(unsafe) let ctx = done.ctx
        let asked = Asked(method: text(method), input: text(input)) { status, result in
          lent(result) { call?(ctx, status, $0) }
        }
        FakeHost.from(me)?.state.withLock { $0.calls.append(asked) }
      },
      call_traced: { me, method, input, traceparent, done in
        let call = done.call
        nonisolated(unsafe) let ctx = done.ctx
        let asked = Asked(
          method: text(method), input: text(input), traceparent: text(traceparent)
        ) { status, result in
          lent(result) { call?(ctx, status, $0) }
        }
        FakeHost.from(me)?.state.withLock { $0.calls.append(asked) }
      })
  }

  private static func eventsTable(_ me: UnsafeMutableRawPointer) -> agent_events_v1 {
    agent_events_v1(
      size: UInt32(MemoryLayout<agent_events_v1>.size), ctx: me,
      publish: { ctx, events, accepted in
        guard let host = FakeHost.from(ctx), let json = try? JSONValue(parsing: text(events)) else {
          return agent_status(AGENT_INVALID_ARGUMENT)
        }
        return host.publish(json, accepted)
      },
      subscribe: { ctx, request, subscriber, id in
        guard let host = FakeHost.from(ctx), let json = try? JSONValue(parsing: text(request))
        else {
          return agent_status(AGENT_INVALID_ARGUMENT)
        }
        host.state.withLock {
          $0.requests.append(json)
          $0.subscriber = UInt(bitPattern: subscriber)
        }
        id?.pointee = 7
        return agent_status(AGENT_OK)
      },
      acknowledge: { ctx, _, count in
        FakeHost.from(ctx)?.state.withLock { $0.acknowledged.append(count) }
      },
      unsubscribe: { ctx, _ in FakeHost.from(ctx)?.state.withLock { $0.unsubscribed += 1 } },
      query: { ctx, request, done in
        let request = try? JSONValue(parsing: text(request))
        FakeHost.from(ctx)?.state.withLock { $0.requests.append(request ?? .null) }
        let answer = Array(#"{"events": [{"type": "x", "n": 1}], "truncated": true}"#.utf8)
        answer.withUnsafeBufferPointer {
          done.call?(
            done.ctx, agent_status(AGENT_OK), agent_bytes(ptr: $0.baseAddress, len: $0.count))
        }
      })
  }

  /// Answers the first call of a service that has none yet.
  func answer(_ result: String, status: Int = AGENT_OK) {
    let asked = state.withLock { $0.calls.isEmpty ? nil : $0.calls.removeFirst() }
    asked?.answer(agent_status(status), result)
  }

  private func publish(_ json: JSONValue, _ accepted: agent_completion) -> agent_status {
    guard let call = accepted.call else { return agent_status(AGENT_OVERLOADED) }
    nonisolated(unsafe) let ctx = accepted.ctx
    let accept: @Sendable (agent_status) -> Void = { call(ctx, $0, agent_bytes(ptr: nil, len: 0)) }
    state.withLock { $0.published.append(Published(events: json, accept: accept)) }
    if answers { accept(agent_status(AGENT_OK)) }
    return agent_status(AGENT_OK)
  }
}

/// Copies a borrowed text.
func text(_ bytes: agent_bytes) -> String {
  String(decoding: UnsafeRawBufferPointer(start: bytes.ptr, count: bytes.len), as: UTF8.self)
}
