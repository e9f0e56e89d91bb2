import AgentJSON
import AgentTraces
import Synchronization
import Testing

/// A collector that answers what the test says and keeps what it was sent.
final class FakeCollector: TraceTransport {
  struct Unreachable: Error {}

  private struct State {
    var replies: [Int?]
    var bodies: [JSONValue] = []
    var addresses: [String] = []
    var headers: [[String: String]] = []
  }

  private let state: Mutex<State>
  private let retryAfter: Duration?

  /// - Parameter replies: a status each, nil for a connection that fails; 200 afterwards.
  init(_ replies: [Int?] = [], retryAfter: Duration? = nil) {
    state = Mutex(State(replies: replies))
    self.retryAfter = retryAfter
  }

  func post(
    _ body: [UInt8], to address: String, headers: [String: String]
  ) async throws -> TraceReply {
    let parsed = try JSONValue(parsing: body)
    let status: Int? = state.withLock { state in
      state.bodies.append(parsed)
      state.addresses.append(address)
      state.headers.append(headers)
      return state.replies.isEmpty ? 200 : state.replies.removeFirst()
    }
    guard let status else { throw Unreachable() }
    return TraceReply(status: status, retryAfter: retryAfter)
  }

  var bodies: [JSONValue] { state.withLock { $0.bodies } }
  var addresses: [String] { state.withLock { $0.addresses } }
  var headers: [[String: String]] { state.withLock { $0.headers } }

  /// The spans of the request with this number, or of all.
  func spans(of request: Int? = nil) -> [JSONValue] {
    let chosen = request.map { [bodies[$0]] } ?? bodies
    return chosen.flatMap { $0["resourceSpans"]?[0]?["scopeSpans"]?[0]?["spans"]?.array ?? [] }
  }
}

@Suite("Spans")
struct TracerTests {
  private let tracer = Tracer(now: { 1_700_000_000_123_456_789 })
  private let collector = FakeCollector()
  private let caller = TraceContext(
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", tracestate: "v=1")

  private func turnOn(sample: Double = 1) {
    tracer.configuration = TraceConfiguration(
      endpoint: "http://c:4318/", sample: sample, headers: ["x": "y"], service: "a",
      version: "1.2.3")
  }

  private func sent() async -> [JSONValue] {
    await TraceExporter(tracer, over: collector).finish()
    return collector.spans()
  }

  @Test func `a disabled tracer makes no span`() {
    #expect(tracer.serve("GET /", for: caller) == nil)
    #expect(tracer.step("x") == nil)
  }

  @Test func `a request within a caller's trace continues it`() async throws {
    turnOn(sample: 0)
    let span = try #require(tracer.serve("GET /", for: caller))
    span.end(attributes: [("http.response.status_code", .int(200)), ("a", .string("b"))])
    let sent = try #require(await sent().first)
    #expect(sent["traceId"] == "4bf92f3577b34da6a3ce929d0e0e4736")
    #expect(sent["parentSpanId"] == "00f067aa0ba902b7")
    #expect(sent["traceState"] == "v=1")
    #expect(sent["spanId"] == .string("\(span.context.span)"))
    #expect(sent["spanId"] != "00f067aa0ba902b7")
    #expect(sent["kind"] == 2)
    #expect(sent["name"] == "GET /")
    #expect(sent["startTimeUnixNano"] == "1700000000123456789")
    #expect(sent["attributes"]?[0]?["value"]?["intValue"] == "200")
    #expect(sent["attributes"]?[1]?["value"]?["stringValue"] == "b")
    #expect(sent["status"] == [:])
  }

  @Test func `a request that its caller doesn't record isn't recorded`() throws {
    turnOn()
    let silent = TraceContext(
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00")
    #expect(tracer.serve("GET /", for: silent) == nil)
    Tracer.$current.withValue(silent) { #expect(tracer.step("x") == nil) }
  }

  @Test func `a share of the traces that begin here is recorded`() {
    turnOn(sample: 0)
    #expect((0..<100).allSatisfy { _ in tracer.serve("x", for: nil) == nil })
    turnOn(sample: 0.5)
    let recorded = (0..<1000).filter { _ in tracer.serve("x", for: nil) != nil }.count
    #expect((300...700).contains(recorded))
    turnOn()
    #expect(tracer.serve("x", for: nil)?.context.isSampled == true)
  }

  @Test func `a step belongs to the span around it, also in child tasks`() async throws {
    turnOn()
    let outer = try #require(tracer.serve("outer", for: nil))
    await Tracer.$current.withValue(outer.context) {
      await withTaskGroup { group in
        group.addTask { tracer.step("inner", .client)?.end(failure: "It broke.") }
      }
    }
    outer.end(as: "renamed")
    let spans = await sent()
    #expect(spans.map { $0["name"] } == ["inner", "renamed"])
    #expect(spans[0]["parentSpanId"] == spans[1]["spanId"])
    #expect(spans[0]["traceId"] == spans[1]["traceId"])
    #expect(spans[0]["kind"] == 3)
    #expect(spans[0]["status"] == ["code": 2, "message": "It broke."])
    #expect(spans[1]["parentSpanId"] == nil)
  }

  @Test func `the resource names the sender, and the request follows the settings`() async throws {
    turnOn()
    tracer.serve("x", for: nil)?.end()
    _ = await sent()
    let resource = collector.bodies[0]["resourceSpans"]?[0]?["resource"]?["attributes"]
    #expect(resource?[0] == ["key": "service.name", "value": ["stringValue": "a"]])
    #expect(resource?[1]?["value"] == ["stringValue": "1.2.3"])
    #expect(collector.addresses == ["http://c:4318/v1/traces"])
    #expect(collector.headers == [["x": "y"]])
  }

  @Test func `a caller that sends only the traceparent gets the tracestate while it is kept`()
    async throws
  {
    let context = try #require(caller)
    let worker = TraceContext(trace: context.trace, span: context.span, isSampled: true)
    #expect(tracer.context(of: worker.traceparent)?.state == nil)
    await tracer.working(in: context) {
      #expect(Tracer.current == context)
      await tracer.working(in: context) {}
      // One of two has ended, and the other one is still at work.
      #expect(tracer.context(of: worker.traceparent) == context)
    }
    #expect(tracer.context(of: worker.traceparent) == worker)
    #expect(tracer.context(of: "nonsense") == nil)
    await tracer.working(in: worker) {
      #expect(tracer.context(of: worker.traceparent)?.state == nil)
    }
  }
}
