import AgentEvents
import AgentJSON
import AgentStore
import AgentTraces
import AgentWorkerProtocol
import Synchronization
import Testing

@testable import AgentWorkers

/// Keeps the spans that it is sent.
private final class KeptSpans: TraceTransport {
  private let state = Mutex<[JSONValue]>([])

  var spans: [JSONValue] { state.withLock { $0 } }

  func post(
    _ body: [UInt8], to address: String, headers: [String: String]
  ) async throws -> TraceReply {
    let spans = try JSONValue(parsing: body)["resourceSpans"]?[0]?["scopeSpans"]?[0]?["spans"]
    state.withLock { $0 += spans?.array ?? [] }
    return TraceReply(status: 200)
  }
}

@Suite("Spans of calls and writes")
struct TraceTests {
  private let tracer = Tracer()
  private let kept = KeptSpans()
  private let caller = TraceContext(
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")

  init() {
    tracer.configuration = TraceConfiguration(endpoint: "http://c", service: "a", version: "1")
  }

  private func spans() async -> [JSONValue] {
    await TraceExporter(tracer, over: kept).finish()
    return kept.spans
  }

  @Test
  func
    `a write of the state that a worker asks for within a trace is a span of it, and so is its commit`()
    async throws
  {
    let state = try await StateFixture()
    state.service.open(TracedStore(state.store, tracer))
    let services = WorkerServices(
      events: EventBus(now: { 0 }), positions: SubscriptionPositions(),
      byMethod: ["state/1": state.service], tracer: tracer, log: { _ in },
      sandboxReached: { _, _ in }, ended: { _, _ in })
    let writer = state.caller()
    for traceparent in [caller?.traceparent, nil, "nonsense"] {
      let call = Call(
        service: "state/1", method: "write",
        input: Array(#"{"changes":[{"key":"k","value":1}]}"#.utf8), traceparent: traceparent)
      let result = await withCheckedContinuation { continuation in
        services.call(call, from: writer) { continuation.resume(returning: $0) }
      }
      _ = try result.get()
    }
    let spans = await spans()
    #expect(spans.map { $0["name"] } == ["store write", "state/1 write"])
    #expect(spans.allSatisfy { $0["traceId"] == "4bf92f3577b34da6a3ce929d0e0e4736" })
    #expect(spans[1]["parentSpanId"] == "00f067aa0ba902b7")
    #expect(spans[0]["parentSpanId"] == spans[1]["spanId"])
    #expect(spans[1]["attributes"]?[0]?["value"]?["stringValue"] == "p")
    await state.end()
  }

  @Test func `a failed write is marked as failed in its span`() async throws {
    let state = try await StateFixture()
    let store = TracedStore(state.store, tracer)
    await state.end()
    let span = try #require(tracer.serve("x", for: caller))
    await Tracer.$current.withValue(span.context) {
      await #expect(throws: StoreError.self) { try await store.write { _ in } }
    }
    let spans = await spans()
    #expect(spans.first?["status"]?["code"] == 2)
    #expect(spans.first?["parentSpanId"] == .string("\(span.context.span)"))
  }
}
