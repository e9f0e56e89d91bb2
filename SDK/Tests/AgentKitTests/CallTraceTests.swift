import AgentJSON
import CAgentModule
import Synchronization
import Testing

@testable import AgentKit

/// Says which trace it works for, publishes, and asks its state meanwhile.
private struct Tracing: Action {
  static let name = "tracing"
  let host: AgentHost

  init(settings: NoSettings, host: AgentHost) { self.host = host }

  func perform(_ input: [String: Int], progress: ActionProgress) async throws -> [String: String] {
    try await host.events.publish(Event("acted"))
    _ = try await host.state.get("key")
    return [
      "progress": progress.traceparent ?? "none", "task": CallTrace.traceparent ?? "none",
      "state": progress.tracestate ?? "none",
    ]
  }
}

@Suite struct CallTraceTests {
  private static let module = Module("tracing", version: "1.0.0") { Tracing.self }
  private static let traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  private struct Call {
    let answer: JSONValue
    let asked: FakeHost.Asked
    let published: JSONValue?
  }

  /// Calls the action and answers what it asks of its state.
  private func call(
    _ traceparent: String, tracestate: String = "",
    sinkSize: Int = MemoryLayout<agent_sink_v1>.size
  ) async throws -> Call {
    let host = FakeHost()
    let instance = try FakeInstance("tracing", of: Self.module, host: host)
    let outcome = instance.invoke(
      1, "{}", traceparent: traceparent, tracestate: tracestate, sinkSize: sinkSize)
    while host.state.withLock({ $0.calls.isEmpty }) { await Task.yield() }
    let asked = try #require(host.state.withLock { $0.calls.first })
    asked.answer(agent_status(AGENT_OK), #"{"entries": []}"#)
    let answer = try JSONValue(parsing: await outcome.result.text)
    instance.destroy()
    return Call(
      answer: answer, asked: asked,
      published: host.state.withLock { $0.published.first?.events[0] })
  }

  @Test func `an action knows its trace, and its calls to the host belong to it`() async throws {
    let call = try await call(Self.traceparent, tracestate: "v=1")
    #expect(
      call.answer == [
        "progress": .string(Self.traceparent), "task": .string(Self.traceparent), "state": "v=1",
      ])
    #expect(call.asked.traceparent == Self.traceparent)
    #expect(call.published?["__traceparent"]?.string == Self.traceparent)
  }

  @Test func `a call that isn't traced has no trace`() async throws {
    let call = try await call("")
    #expect(call.answer == ["progress": "none", "task": "none", "state": "none"])
    #expect(call.asked.traceparent == "")
    #expect(call.published != nil && call.published?["__traceparent"] == nil)
  }

  @Test func `an older host's shorter sink is read only as far as it goes`() async throws {
    let size = MemoryLayout<agent_sink_v1>.offset(of: \.traceparent) ?? 0
    let short = try await call(Self.traceparent, sinkSize: size).answer
    #expect(short["progress"] == "none")
    let before = MemoryLayout<agent_sink_v1>.offset(of: \.tracestate) ?? 0
    let older = try await call(Self.traceparent, tracestate: "v=1", sinkSize: before).answer
    #expect(older["progress"]?.string == Self.traceparent && older["state"] == "none")
  }
}
