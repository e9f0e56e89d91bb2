import AgentJSON
import Testing

/// What modules report of themselves, through the host.
@Suite struct ModuleMetricTests {
  @Test func `a C module's metrics are shown, and its health ends with its worker`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addService()
      try await agent.run()
      let json = ["Content-Type: application/json"]
      for _ in 0..<3 {
        let path = "/modules/service/echo/a"
        #expect(
          try await agent.client.answer("POST", path, headers: json, body: "{}").status == 200)
      }
      let served = "service_served_total module:service"
      let shown = try await agent.reported("the service is counted") { $0.values[served] == 3 }
      #expect(shown.health["module:service/echo"] == "degraded: It echoes.")
      _ = try await eventually("the module hears what was refused", said: { agent.said }) {
        agent.said.contains("isn't a name for a metric") ? true : nil
      }
      #expect(try await agent.agent("process", "restart", "module:service").status == 0)
      try await agent.reported("its health is gone, and its counter isn't") {
        $0.health.isEmpty && $0.values[served] == 3
      }
    }
  }

  private static let python = """
    from agent_module import Datasource, Module

    module = Module("snake", "1.0.0")


    @module.datasource("worker")
    class Worker(Datasource):
        async def run(self):
            self.host.metrics.gauge("depth").set(4)
            self.host.metrics.histogram("wait_seconds").observe(0.2)
            self.host.health.report("failing", "No route to db1.", "database")
            try:
                await self.host.sleep(3600)
            finally:
                self.host.metrics.counter("ends_total").add()


    if __name__ == "__main__":
        module.run()
    """

  @Test func `a Python process's metrics are shown until it is stopped`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.addPython(
        "snake", main: Self.python,
        manifest: [
          "name": "snake", "version": "1.0.0", "command": ["python3", "main.py"],
          "processes": ["worker": ["kind": "datasource"]],
        ])
      try agent.settings(modules: ["snake"], processes: ["w": ["type": "worker"]])
      try await agent.run()
      try await agent.reported("everything is shown") { shown in
        shown.values["snake_depth w"] == 4 && shown.values["snake_wait_seconds w"] == 1
          && shown.health["w/database"] == "failing: No route to db1."
      }
      #expect(try await agent.agent("process", "stop", "w").status == 0)
      try await agent.reported("gauges and health are gone, and its last word has come") { shown in
        shown.values.keys.sorted() == ["snake_ends_total w", "snake_wait_seconds w"]
          && shown.values["snake_ends_total w"] == 1 && shown.health.isEmpty
      }
    }
  }
}

extension AgentUnderTest {
  /// What modules have reported, as the API shows it.
  fileprivate struct Reported: Sendable {
    /// What a counter or gauge shows, or how many values a histogram has counted, by its name
    /// without the host's prefix, and the process.
    var values: [String: Double] = [:]
    /// State and reason, by the component's name.
    var health: [String: String] = [:]

    init(_ diagnostics: JSONValue, _ health: JSONValue) {
      for family in diagnostics["module_metrics"]?.array ?? [] {
        let name = (family["name"]?.string ?? "").replacing("bulkhead_module_", with: "")
        for series in family["series"]?.array ?? [] where name != "health" {
          let process = series["labels"]?["process"]?.string ?? ""
          values["\(name) \(process)"] = series["value"]?.double ?? series["count"]?.double
        }
      }
      for part in health["components"]?.array ?? [] {
        guard let name = part["name"]?.string, name.hasPrefix("health:") else { continue }
        self.health[String(name.dropFirst(7))] =
          "\(part["state"]?.string ?? ""): \(part["reason"]?.string ?? "")"
      }
    }
  }

  /// Waits for what modules report.
  @discardableResult fileprivate func reported(
    _ what: String, _ isSo: (Reported) -> Bool
  ) async throws -> Reported {
    var latest: Reported?
    return try await eventually(what, within: .longest, said: { "\(latest as Any)" }) {
      let reported = Reported(
        try await client.send("GET", "diagnostics").body,
        try await client.send("GET", "health").body)
      latest = reported
      return isSo(reported) ? reported : nil
    }
  }
}
