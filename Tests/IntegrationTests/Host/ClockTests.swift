import AgentJSON
import Glibc
import Testing

/// A whole host whose clock is set, forth and back, while it runs and while it doesn't.
@Suite struct ClockTests {
  private static let hour = 3_600

  private func with(_ body: (AgentUnderTest, FalseClock) async throws -> Void) async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(
        modules: [], processes: [:],
        others: [
          "http": ["enabled": false],
          "tasks": ["types": ["job": ["executor": "bots"]]],
          "notifications": [
            "rules": [
              ["name": "alarm", "when": ["event": "alarm"], "group": ["key"], "to": ["log"]]
            ]
          ],
        ])
      let clock = try await FalseClock(of: agent)
      try await agent.run(variables: clock.variables)
      try await body(agent, clock)
    }
  }

  private func create(_ agent: AgentUnderTest, _ body: JSONValue) async throws -> String {
    let made = try await agent.client.send("POST", "tasks", body: body)
    #expect(made.status == 201, "\(made)")
    return made.body["id"]?.string ?? ""
  }

  private func task(_ agent: AgentUnderTest, _ id: String) async throws -> JSONValue {
    try await agent.client.send("GET", "tasks/\(id)").body
  }

  private func become(
    _ status: JSONValue, agent: AgentUnderTest, id: String
  ) async throws -> JSONValue {
    var said = ""
    return try await eventually("task \(id) is \(status)", said: { said }) {
      let task = try await task(agent, id)
      said = task.text()
      return task["status"] == status ? task : nil
    }
  }

  /// A bot has taken a task and may be silent for two minutes.
  private func take(_ agent: AgentUnderTest) async throws -> (task: String, assignment: String) {
    let bot = try await agent.client.send(
      "POST", "bots",
      body: ["name": "Bo", "capabilities": [["name": "work", "task_types": ["job"]]]])
    let id = try await create(agent, ["name": "held", "type": "job", "status": "queued"])
    let offers = try await agent.client.send(
      "GET", "bots/\(bot.body["id"]?.string ?? "")/assignments?wait_ms=60000")
    let assignment = offers.body["assignments"]?[0]?["id"]?.string ?? ""
    let accepted = try await agent.client.send(
      "POST", "assignments/\(assignment)/accept", body: ["lease_ms": 120_000])
    #expect(accepted.status == 200, "\(accepted)")
    return (id, assignment)
  }

  @Test func `leases and waits keep their length, and scheduled moments come`() async throws {
    try await with { agent, clock in
      let held = try await take(agent)
      let failed = try await create(
        agent,
        [
          "name": "fails", "run_command": "false", "status": "queued",
          "retry": ["attempts": 2, "initial_ms": 7_200_000, "max_ms": 7_200_000],
        ])
      let waits = try await become("scheduled", agent: agent, id: failed)
      let (made, first) = (waits["created"]?.int ?? 0, waits["run_at"]?.int ?? 0)
      let named = try await create(
        agent,
        [
          "name": "named", "run_command": "true", "status": "queued",
          "run_at": JSONValue(made + 5_400_000),
        ])
      #expect(try await task(agent, named)["status"] == "scheduled")

      // Two hours forth: the named moment has come, and nothing else.
      try clock.set(2 * Self.hour)
      let other = try await create(agent, ["name": "x", "run_command": "true", "status": "queued"])
      _ = try await become("succeeded", agent: agent, id: other)
      _ = try await become("succeeded", agent: agent, id: named)
      try await check(agent, held: held.task, failed: failed, waits: first + 7_200_000)

      // And back.
      try clock.set(0)
      let later = try await create(agent, ["name": "y", "run_command": "true", "status": "queued"])
      _ = try await become("succeeded", agent: agent, id: later)
      try await check(agent, held: held.task, failed: failed, waits: first)

      // While nobody is there.
      agent.signal(SIGKILL)
      _ = try await agent.ended()
      try clock.set(Self.hour)
      try await agent.run(variables: clock.variables)
      try await check(agent, held: held.task, failed: failed, waits: first + 3_600_000)
      let done = try await agent.client.send(
        "POST", "assignments/\(held.assignment)/complete", body: ["result": 1])
      #expect(done.status == 200, "\(done)")
      #expect(try await task(agent, held.task)["attempt"] == 1)
    }
  }

  /// A lease of two minutes is still in force, and what waits for its next attempt waits until
  /// then.
  private func check(
    _ agent: AgentUnderTest, held: String, failed: String, waits moment: Int
  ) async throws {
    let (held, failed) = (try await task(agent, held), try await task(agent, failed))
    #expect(held["status"] == "running" && held["attempt"] == 1, "\(held)")
    #expect(failed["status"] == "scheduled", "\(failed)")
    let off = abs((failed["run_at"]?.int ?? 0) - moment)
    // As exact as two clocks can be read one after the other, on a machine with much to do.
    #expect(off < 10_000, "\(failed), \(moment)")
  }

  @Test func `rules raise alerts after the clock is set, and after an event of 2036`() async throws
  {
    try await with { agent, clock in
      var raised = 0
      func alarm(_ key: String, at moment: Int? = nil) async throws {
        var event: JSONObject = ["type": "alarm", "key": .string(key)]
        if let moment { event["timestamp"] = JSONValue(moment) }
        let reply = try await agent.client.send("POST", "events", body: .object(event))
        #expect(reply.status == 201, "\(reply)")
        raised += 1
        var said = ""
        _ = try await eventually("an alert for \(key) is open", said: { said }) {
          let alerts = try await agent.client.send("GET", "alerts")
          said = alerts.body.text()
          return alerts.body["alerts"]?.array?.count == raised ? true : nil
        }
      }
      try await alarm("now")
      try await alarm("2036", at: 2_082_758_400_000)
      for (place, seconds) in [Self.hour, -Self.hour, 0, 8 * Self.hour, 0].enumerated() {
        try clock.set(seconds)
        try await alarm("\(place)")
      }
      let events = try await agent.client.send("GET", "events?query=alarm&limit=100")
      #expect(events.body["events"]?.array?.count == 7, "\(events)")
    }
  }

  @Test func `a host that starts in 1970 works and continues in the present`() async throws {
    try await with { agent, clock in
      agent.signal(SIGTERM)
      _ = try await agent.ended()
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      try clock.set(40 - now.tv_sec)
      try await agent.run(variables: clock.variables)
      let soon = try await create(
        agent, ["name": "soon", "run_command": "true", "status": "queued", "run_at": 42_000])
      let old = try await become("succeeded", agent: agent, id: soon)
      #expect((old["finished"]?.int ?? 0) < 3_600_000, "\(old)")
      try clock.set(0)
      let next = try await create(
        agent, ["name": "now", "run_command": "true", "status": "queued"])
      let new = try await become("succeeded", agent: agent, id: next)
      #expect((new["finished"]?.int ?? 0) > 1_700_000_000_000, "\(new)")
    }
  }
}
