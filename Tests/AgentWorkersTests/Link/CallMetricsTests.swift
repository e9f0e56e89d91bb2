import AgentMetrics
import AgentWorkerProtocol
import Testing

@testable import AgentWorkers

@Suite("Call metrics")
struct CallMetricsTests {
  private let registry = MetricsRegistry()

  private func counts(_ name: String) async -> [MetricLabels: Double] {
    let samples = await registry.page()[name]?.samples ?? []
    return Dictionary(
      samples.map { sample in
        guard case .number(let value) = sample.value else { return (sample.labels, -1) }
        return (sample.labels, value)
      }, uniquingKeysWith: +)
  }

  @Test(arguments: [
    (HostError.Code.invalid, "invalid"), (.deadlineExceeded, "deadline_exceeded"),
    (.failed, "failed"), (.conflict, "failed"),
  ])
  func `a call is counted by its outcome with its duration`(
    code: HostError.Code, outcome: String
  ) async throws {
    let metrics = InvocationMetrics(registry, module: "m", contribution: "c")
    #expect(try await metrics.measured { () async throws(HostError) in 5 } == 5)
    await #expect(throws: HostError.self) {
      try await metrics.measured { () async throws(HostError) in throw HostError(code, "no") }
    }
    #expect(
      await counts("bulkhead_invocations_total") == [
        ["module": "m", "contribution": "c", "outcome": "ok"]: 1,
        ["module": "m", "contribution": "c", "outcome": outcome]: 1,
      ])
    #expect(metrics.duration.snapshot.count == 2)
  }

  @Test func `service calls are counted, and those to unknown services as one`() async {
    let metrics = ServiceMetrics(registry, services: ["state/1"])
    metrics.measured("state/1") { _ in }(.success([]))
    metrics.measured("state/1") { _ in }(.failure(WorkerError(.failed, "no")))
    for name in ["a/1", "b/1"] {
      metrics.measured(name) { _ in }(.failure(WorkerError(.unsupported, "no")))
    }
    #expect(
      await counts("bulkhead_service_calls_total") == [
        ["service": "state/1", "outcome": "ok"]: 1,
        ["service": "state/1", "outcome": "failed"]: 1,
        ["service": "other", "outcome": "unsupported"]: 2,
      ])
  }
}
