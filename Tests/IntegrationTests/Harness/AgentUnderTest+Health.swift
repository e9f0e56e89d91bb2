import AgentJSON
import Testing

extension AgentUnderTest {
  /// Expects that a ticker has run all the time: it has the pid that it had, and publishes.
  func isHealthy(_ name: String, since before: ProcessStatus) async throws {
    let now = try await newestTick(of: name)
    _ = try await eventually("\(name) goes on publishing") {
      try await self.newestTick(of: name) > now ? true : nil
    }
    let after = try await process(name, "runs") { $0.state == "RUNNING" }
    #expect(after.pid == before.pid, "\(name) was restarted: \(after.lastExit)")
    #expect(after.restarts == before.restarts)
  }

  /// When the newest tick was published; 0 before the first.
  private func newestTick(of name: String) async throws -> Int {
    let reply = try await client.send("GET", "events?limit=1&query=source:\(name)%20type:tick")
    guard let events = reply.body["events"]?.array else { throw HarnessError(reply.error) }
    return events.last?["timestamp"]?.int ?? 0
  }
}
