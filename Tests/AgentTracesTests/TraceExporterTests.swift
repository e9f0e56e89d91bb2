import AgentJSON
import AgentMetrics
import AgentTraces
import Synchronization
import TestSupport
import Testing

/// Pauses that are over at once, and are remembered; after the last one the task is cancelled.
private final class Pauses: Sendable {
  struct Over: Error {}
  private let state: Mutex<(left: Int, taken: [Duration])>

  init(_ most: Int) { state = Mutex((most, [])) }

  var taken: [Duration] { state.withLock { $0.taken } }

  func sleep(_ duration: Duration) throws {
    try state.withLock { state in
      guard state.left > 0 else { throw Over() }
      state.left -= 1
      state.taken.append(duration)
    }
  }
}

/// The reports of lost batches.
private final class ReportedProblems: Sendable {
  private let state = Mutex<[String]>([])
  var reasons: [String] { state.withLock { $0 } }
  @Sendable func add(_ reason: String) { state.withLock { $0.append(reason) } }
}

@Suite("The export of spans")
struct TraceExporterTests {
  private let tracer = Tracer()
  private let registry = MetricsRegistry()

  init() {
    tracer.configuration = TraceConfiguration(endpoint: "http://c", service: "a", version: "1")
    tracer.measure(in: registry)
  }

  private func end(_ count: Int) { for _ in 0..<count { tracer.serve("x", for: nil)?.end() } }

  /// Runs the exporter for a number of pauses.
  private func export(
    to collector: FakeCollector, pauses: Int, lost: ReportedProblems = ReportedProblems(),
    _ change: (inout TraceExporter.Options) -> Void = { _ in }
  ) async -> [Duration] {
    let pauses = Pauses(pauses)
    var options = TraceExporter.Options()
    change(&options)
    await TraceExporter(
      tracer, over: collector, options: options, sleep: { try pauses.sleep($0) }, failed: lost.add
    ).run()
    return pauses.taken
  }

  private func metric(_ name: String) async -> MetricValue? {
    await registry.page()["bulkhead_trace_\(name)"]?.samples.first?.value
  }

  @Test func `spans are sent in batches after a pause`() async {
    let collector = FakeCollector()
    end(5)
    let pauses = await export(to: collector, pauses: 2) { $0.batch = 2 }
    #expect(pauses == [.seconds(1), .seconds(1)])
    #expect((0..<3).map { collector.spans(of: $0).count } == [2, 2, 1])
    #expect(await metric("spans_exported_total") == .number(5))
    #expect(await metric("queue_spans") == .number(0))
  }

  @Test(arguments: [429, 502, 503, 504, nil])
  func `an export that may work later is retried after growing pauses`(status: Int?) async {
    let collector = FakeCollector([status, status, status])
    end(1)
    let pauses = await export(to: collector, pauses: 4)
    #expect(collector.bodies.count == 4)
    #expect(Set(collector.bodies).count == 1)
    for (pause, least) in zip(pauses.dropFirst(), [0.8, 1.6, 3.2]) {
      #expect(pause >= .seconds(least) && pause <= .seconds(least * 1.5))
    }
    #expect(await metric("spans_exported_total") == .number(1))
    #expect(await metric("export_failures_total") == .number(3))
    #expect(await metric("spans_dropped_total") == .number(0))
  }

  @Test func `a collector's requested pause is respected`() async {
    let collector = FakeCollector([503], retryAfter: .seconds(7))
    end(1)
    #expect(await export(to: collector, pauses: 2) == [.seconds(1), .seconds(7)])
    #expect(collector.bodies.count == 2)
  }

  @Test(arguments: [400, 401, 404, 413, 500])
  func `spans that a collector refuses are lost, counted and reported`(status: Int) async {
    let told = ReportedProblems()
    end(3)
    _ = await export(to: FakeCollector([status]), pauses: 2, lost: told)
    #expect(await metric("spans_dropped_total") == .number(3))
    #expect(told.reasons == ["it responded with status \(status)"])
  }

  @Test func `a batch is lost after the last attempt`() async {
    let collector = FakeCollector(Array(repeating: nil, count: 9))
    end(1)
    _ = await export(to: collector, pauses: 20) { $0.tries = 3 }
    #expect(collector.bodies.count == 3)
    #expect(await metric("spans_dropped_total") == .number(1))
  }

  @Test func `waiting spans are bounded, and those beyond the limit are counted`() async {
    end(5000)
    #expect(await metric("queue_spans") == .number(4096))
    #expect(await metric("spans_dropped_total") == .number(904))
  }

  @Test func `spans whose export was interrupted are sent by the last attempt`() async {
    let collector = FakeCollector([503, 200])
    end(2)
    _ = await export(to: collector, pauses: 1)
    #expect(await metric("queue_spans") == .number(2))
    await TraceExporter(tracer, over: collector).finish()
    #expect(collector.spans(of: 1).count == 2)
    #expect(await metric("spans_exported_total") == .number(2))
  }

  @Test func `an absent collector is tried once at the end`() async {
    let collector = FakeCollector([nil, nil, nil])
    end(2000)
    await TraceExporter(tracer, over: collector).finish()
    #expect(collector.bodies.count == 1)
    #expect(await metric("spans_dropped_total") == .number(2000))
  }

  /// A collector that accepts connections and never answers, whatever becomes of the requests.
  private final class SilentCollector: TraceTransport {
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
    var requests: Int { waiting.withLock { $0.count } }

    func post(
      _ body: [UInt8], to address: String, headers: [String: String]
    ) async throws -> TraceReply {
      await withCheckedContinuation { continuation in
        waiting.withLock { $0.append(continuation) }
      }
      return TraceReply(status: 200)
    }

    /// Ends the requests, so that the test leaves nothing.
    func end() { for continuation in waiting.withLock({ $0 }) { continuation.resume() } }
  }

  @Test func `a collector that never answers loses a batch after its deadlines`() async throws {
    let collector = SilentCollector()
    let (told, pauses) = (ReportedProblems(), Pauses(4))
    var options = TraceExporter.Options()
    options.tries = 3
    end(7)
    await TraceExporter(
      tracer, over: collector, options: options, sleep: { try pauses.sleep($0) },
      deadline: { limit in
        // The time of a request is over once the collector has it.
        try await wait(while: collector.requests == 0)
        #expect(limit == .seconds(10))
      }, failed: told.add
    ).run()
    try await wait(while: collector.requests < 3)
    collector.end()
    #expect(told.reasons == ["it didn't respond within 10 s"])
    #expect(await metric("spans_dropped_total") == .number(7))
    #expect(await metric("export_failures_total") == .number(3))
    #expect(await metric("queue_spans") == .number(0))
  }

  @Test func `the end doesn't wait for a collector that never answers`() async throws {
    let collector = SilentCollector()
    end(3)
    let exporter = TraceExporter(
      tracer, over: collector, sleep: { _ in try Task.checkCancellation() })
    let running = Task { await exporter.run() }
    try await wait(while: collector.requests == 0)
    running.cancel()
    await running.value
    let finishing = Task { await exporter.finish() }
    try await wait(while: collector.requests == 1)
    finishing.cancel()
    await finishing.value
    collector.end()
    #expect(await metric("queue_spans") == .number(0))
    #expect(await metric("spans_dropped_total") == .number(3))
  }

  @Test func `long texts of a span are cut before they wait`() async throws {
    let collector = FakeCollector()
    let long = String(repeating: "x", count: 1 << 20)
    tracer.serve("x", for: nil)?.end(as: long, failure: long, attributes: [("a", .string(long))])
    await TraceExporter(tracer, over: collector).finish()
    let span = try #require(collector.spans().first)
    #expect(span.bytes().count < 4_000)
  }
}
