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

  struct State {
    var logs: [String] = []
    var published: [Published] = []
    var subscriber: UInt = 0
    var requests: [JSONValue] = []
    var acknowledged: [UInt32] = []
    var unsubscribed = 0
  }

  let state = Mutex(State())
  let answers: Bool
  nonisolated(unsafe) private let host: UnsafeMutablePointer<agent_host_v1>
  nonisolated(unsafe) private let events: UnsafeMutablePointer<agent_events_v1>

  /// `answers`: publishing is accepted at once.
  init(answers: Bool = true) {
    self.answers = answers
    host = .allocate(capacity: 1)
    events = .allocate(capacity: 1)
    let me = Unmanaged.passUnretained(self).toOpaque()
    events.initialize(to: Self.eventsTable(me))
    host.initialize(to: Self.hostTable(me))
  }

  deinit {
    host.deallocate()
    events.deallocate()
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
        guard let id, String(cString: id) == AGENT_EVENTS_V1 else { return nil }
        return FakeHost.from(ctx).map { UnsafeRawPointer($0.events) }
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
