import AgentJSON
import Glibc
import Testing

/// Schedules of a running agent: through the API, the settings, `agent schedule`, and a clock that
/// somebody sets.
@Suite struct ScheduleTests {
  private static let hour = 3_600_000

  private func with(
    _ schedules: JSONObject = [:], _ body: (AgentUnderTest) async throws -> Void
  ) async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker([])
      try settings(agent, schedules)
      try await body(agent)
    }
  }

  private func settings(_ agent: AgentUnderTest, _ schedules: JSONObject) throws {
    let settings: JSONValue = [
      "enabled_modules": ["ticker"], "schedules": .object(schedules),
    ]
    try agent.folder.write("settings.json", settings.text(pretty: true))
  }

  private static let echo: JSONValue = ["type": "echo", "input": ["word": "hello"]]

  private func create(
    _ agent: AgentUnderTest, _ name: String, more: JSONObject
  ) async throws -> JSONValue {
    var body: JSONObject = ["name": .string(name), "task": Self.echo]
    for (key, value) in more { body[key] = value }
    let made = try await agent.client.send("POST", "schedules", body: .object(body))
    #expect(made.status == 201, "\(made)")
    return made.body
  }

  @Test func `a schedule is created, shown, changed and removed`() async throws {
    try await with { agent in
      try await agent.run()
      let made = try await create(
        agent, "nightly", more: ["cron": "0 2 * * *", "zone": "Europe/Berlin"])
      #expect(made["words"] == "At 02:00 every day" && made["status"] == "active", "\(made)")
      let report = try await agent.client.send("GET", "schedules/nightly")
      #expect(report.body["next_fire_times"]?.array?.count == 5, "\(report)")
      let edited = try await agent.client.send(
        "PATCH", "schedules/nightly", body: ["every": "90m", "zone": .null, "overlap": "queue"])
      #expect(edited.body["cron"] == nil && edited.body["zone"] == "UTC", "\(edited)")
      #expect(edited.body["version"] == 2)
      let fire = try await agent.client.send("POST", "schedules/nightly/trigger")
      let id = fire.body["task_id"]?.string ?? ""
      let task = try await agent.client.send("GET", "tasks/\(id)/wait?wait_ms=60000")
      #expect(task.body["result"]?["output"] == ["word": "hello"], "\(task)")
      #expect(task.body["schedule"] == made["id"])
      let copy = try await agent.client.send(
        "POST", "tasks/\(id)/schedule", body: ["cron_expression": "*/5 * * * *"])
      #expect(copy.status == 201 && copy.body["schedule_id"]?.string != nil, "\(copy)")
      #expect((copy.body["next_fire_time"]?.int ?? 0) % 300_000 == 0)
      let bad = try await agent.client.send(
        "POST", "schedules", body: ["name": "a", "cron": "0 25 * * *", "task": Self.echo])
      #expect(bad.status == 400 && bad.error.contains("column 3, hour"), "\(bad)")
      let taken = try await agent.client.send(
        "POST", "schedules", body: ["name": "nightly", "every": "1h", "task": Self.echo])
      #expect(taken.status == 409, "\(taken)")
      let preview = try await agent.client.send(
        "GET", "schedule-preview?cron=30%202%20*%20*%20*&zone=Asia/Tokyo&n=3")
      #expect(preview.body["next_fire_times"]?.array?.count == 3, "\(preview)")
      #expect(try await agent.client.send("DELETE", "schedules/nightly").status == 200)
      #expect(try await agent.client.send("GET", "schedules/nightly").status == 404)
    }
  }

  @Test func `the settings' schedules follow the file`() async throws {
    let first: JSONObject = [
      "a": ["every": "1h", "task": Self.echo], "b": ["every": "1h", "task": Self.echo],
    ]
    try await with(first) { agent in
      try await agent.run()
      func names() async throws -> [String] {
        let list = try await agent.client.send("GET", "schedules?source=settings")
        return (list.body["schedules"]?.array ?? []).compactMap { $0["name"]?.string }
      }
      _ = try await eventually("they are there") {
        try await names() == ["a", "b"] ? true : nil
      }
      let edit = try await agent.client.send("PATCH", "schedules/a", body: ["every": "2h"])
      #expect(edit.status == 409 && edit.error.contains("schedules.a in settings.json"), "\(edit)")
      try settings(agent, ["b": ["every": "3h", "task": Self.echo]])
      #expect(try await agent.agent("reload").status == 0)
      _ = try await eventually("they are those of the file") {
        let b = try await agent.client.send("GET", "schedules/b")
        return try await names() == ["b"] && b.body["every"] == "3h" ? true : nil
      }
      try settings(agent, ["c": ["cron": "0 0 30 2 *", "zone": "Nowhere", "task": [:]]])
      let wrong = try await agent.agent("validate")
      #expect(wrong.status == 1)
      for text in ["schedules.c.cron", "schedules.c.zone", "schedules.c.task"] {
        #expect((wrong.output + wrong.errors).contains(text), "\(wrong)")
      }
    }
  }

  @Test func `a changed clock and a killed host make no fire time run twice`() async throws {
    try await with { agent in
      let clock = try await FalseClock(of: agent)
      try await agent.run(variables: clock.variables)
      let made = try await create(
        agent, "far", more: ["every": "10h", "overlap": "parallel", "misfire": "once"])
      _ = try await create(agent, "other", more: ["every": "300d"])
      let created = made["created"]?.int ?? 0
      // A change of a schedule wakes the scheduler, which looks at the clock each minute anyway.
      func set(_ hours: Double) async throws {
        try clock.set(Int(hours * 3_600))
        for verb in ["pause", "resume"] {
          #expect(try await agent.client.send("POST", "schedules/other/\(verb)").status == 200)
        }
      }
      func reached(next hours: Int, _ fires: [Int]) async throws {
        var said = ""
        _ = try await eventually("it waits for hour \(hours)", said: { said }) {
          let row = try await agent.client.send("GET", "schedules/far")
          said = row.body.text()
          return row.body["next_fire_time"]?.int == created + hours * Self.hour ? true : nil
        }
        let list = try await agent.client.send("GET", "schedules/far/fires")
        let times = (list.body["fires"]?.array ?? []).compactMap { $0["fire_time"]?.int }
        #expect(times.reversed().map { ($0 - created) / Self.hour } == fires, "\(list)")
      }
      try await reached(next: 10, [])
      try await set(10.5)
      try await reached(next: 20, [10])
      try await set(0)
      try await reached(next: 10, [10])
      try await set(10.6)
      try await reached(next: 20, [10])
      try await set(45)
      try await reached(next: 50, [10, 40])
      agent.signal(SIGKILL)
      _ = try await agent.ended()
      try clock.set(72 * 3_600)
      try await agent.run(variables: clock.variables)
      try await reached(next: 80, [10, 40, 70])
      let tasks = try await agent.client.send("GET", "tasks?schedule=\(made["id"]?.string ?? "")")
      #expect(tasks.body["tasks"]?.array?.count == 3, "\(tasks)")
    }
  }

  @Test func `people create, see and change schedules`() async throws {
    try await with { agent in
      let next = try await agent.agent(
        "schedule", "next", "30 2 * * *", "--zone", "Europe/Berlin", "-n", "2")
      #expect(next.output.contains("At 02:30 every day, Europe/Berlin"), "\(next)")
      #expect(next.output.split(separator: "\n").count == 3, "\(next)")
      let wrong = try await agent.agent("schedule", "next", "30 24 * * *")
      #expect(wrong.status == 2 && wrong.errors.contains("hour"), "\(wrong)")
      #expect(try await agent.agent("schedule", "next", "a name").status == 3)
      try await agent.run()
      #expect(try await agent.agent("schedule", "list").output == "No schedules.\n")
      let made = try await agent.agent(
        "schedule", "create", "tea", "--every", "1d", "--type", "echo", "--input",
        #"{"word": "tea"}"#)
      #expect(made.status == 0 && made.output.contains("every 1 day"), "\(made)")
      #expect(try await agent.agent("schedule", "trigger", "tea").output == "Task 1 was created.\n")
      let edited = try await agent.agent("schedule", "edit", "tea", "--cron", "0 16 * * *")
      #expect(edited.output.contains("At 16:00 every day"), "\(edited)")
      let shown = try await agent.agent("schedule", "show", "tea")
      #expect(shown.output.contains("triggered task 1"), "\(shown)")
      #expect(try await agent.agent("schedule", "pause", "tea").output.contains("is paused"))
      #expect(try await agent.agent("schedule", "list").output.contains("paused"))
      #expect(try await agent.agent("schedule", "resume", "tea").output.contains("is active"))
      #expect(try await agent.agent("schedule", "next", "tea", "-n", "1").status == 0)
      #expect(try await agent.agent("schedule", "delete", "tea").status == 0)
      #expect(try await agent.agent("schedule", "show", "tea").status == 4)
    }
  }
}
