import AgentEvents
import AgentJSON
import AgentSystem
import AgentWorkerProtocol
import Testing

@testable import AgentWorkers

/// `query` of `events/1`, and what names of modules become in messages.
@Suite struct RecentEventsTests {
  private func bus() throws -> EventBus {
    let bus = EventBus(now: { Timestamp.now() })
    try bus.publish((0..<3).map { ["type": "tick", "n": JSONValue($0)] }, source: "p")
    return bus
  }

  @Test(arguments: [
    (#"{"query":5}"#, "query"), (#"{"query":"tick","limit":"2"}"#, "limit"),
    (#"{"query":"tick","window_ms":0.5}"#, "window_ms"),
    (#"{"query":"tick","limit":9223372036854775808}"#, "limit"), (#"{"query":"#, "query"),
  ])
  func `a member of the wrong type is refused by its name`(input: String, name: String) async throws
  {
    let bus = try bus()
    let error = await #expect(throws: WorkerError.self) {
      try await RecentEvents.answer(Array(input.utf8), from: bus)
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains(name) == true)
  }

  @Test(arguments: [#"{"query":"tick"}"#, #"{"query":"tick","limit":null,"window_ms":null}"#])
  func `a member that is missing or null has its usual value`(input: String) async throws {
    let answer = try await RecentEvents.answer(Array(input.utf8), from: try bus())
    #expect(try JSONValue(parsing: answer)["events"]?.array?.count == 3)
  }

  @Test(arguments: ["nothing/1", "metrics/1"])
  func `a refusal repeats a hundred bytes of a name at most`(service: String) throws {
    let services = WorkerServices(
      events: try bus(), positions: SubscriptionPositions(),
      byMethod: ["metrics/1": ModuleMetrics()], log: { _ in }, sandboxReached: { _, _ in },
      ended: { _, _ in })
    let caller = ServiceCaller("p", module: "m")
    let long = String(repeating: "n", count: 1 << 20)
    let name = service == "metrics/1" ? service : service + long
    services.call(name, method: long, input: [], from: caller) { result in
      guard case .failure(let error) = result else {
        Issue.record("It is answered.")
        return
      }
      #expect(error.code == .unsupported)
      #expect(error.description.utf8.count < 300)
    }
    #expect(caller.refusals.all == [service == "metrics/1" ? "metrics/1" : "other": 1])
  }
}
