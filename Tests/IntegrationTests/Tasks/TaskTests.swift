import AgentJSON
import Glibc
import Testing

/// Tasks of a running agent, through the API and `agent task`.
@Suite struct TaskTests {
  private func with(_ body: (AgentUnderTest) async throws -> Void) async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker(["-DTROUBLE"])
      try agent.change("ticker") { manifest in
        var actions = manifest["actions"]?.object ?? [:]
        (actions["never"], actions["die"]) = ([:], [:])
        manifest["actions"] = .object(actions)
      }
      try agent.settings(modules: ["ticker"], processes: [:])
      try await agent.run()
      try await body(agent)
    }
  }

  private func create(
    _ agent: AgentUnderTest, _ type: String, more: JSONObject = [:]
  ) async throws -> String {
    var body: JSONObject = ["name": "a task", "type": .string(type), "status": "queued"]
    for (key, value) in more { body[key] = value }
    let made = try await agent.client.send("POST", "tasks", body: .object(body))
    #expect(made.status == 201, "\(made)")
    return made.body["id"]?.string ?? ""
  }

  @Test func `a module's action is a type of task`() async throws {
    try await with { agent in
      let made = try await agent.client.send(
        "POST", "tasks", body: ["name": "say it", "type": "echo", "input": ["word": "hello"]])
      #expect(made.status == 201 && made.body["status"] == "waiting", "\(made)")
      let id = made.body["id"]?.string ?? ""
      let done = try await agent.client.send(
        "POST", "tasks/\(id)/execute", body: ["data": ["word": "again"], "wait_ms": 60_000])
      #expect(done.body["result"]?["output"] == ["word": "again"], "\(done)")
      #expect(done.body["status"] == "succeeded")
      let report = try await agent.client.send("GET", "tasks/\(id)")
      let states = report.body["history"]?.array?.compactMap { $0["state"]?.string }
      #expect(states == ["waiting", "queued", "running", "succeeded"])
    }
  }

  @Test func `an impossible task is refused before it is stored`() async throws {
    try await with { agent in
      let unknown = try await agent.client.send(
        "POST", "tasks", body: ["name": "a", "type": "eco"])
      #expect(unknown.status == 400, "\(unknown)")
      #expect(unknown.error.contains("Did you mean \"echo\"?"), "\(unknown.error)")
      let wrong = try await agent.client.send(
        "POST", "tasks", body: ["name": "a", "type": "echo", "input": ["word": 5]])
      #expect(wrong.status == 400 && wrong.error.contains("expected a string"), "\(wrong)")
      let list = try await agent.client.send("GET", "tasks")
      #expect(list.body["tasks"]?.array?.isEmpty == true)
      #expect(try await agent.client.send("GET", "tasks/7").status == 404)
      #expect(try await agent.client.send("GET", "tasks?status=wating").status == 400)
    }
  }

  @Test func `a worker that crashes fails the task, and the crash is reported`() async throws {
    try await with { agent in
      let id = try await create(agent, "die", more: ["retry": ["attempts": 2, "initial_ms": 1]])
      let dead = try await agent.client.send("GET", "tasks/\(id)/wait?wait_ms=60000")
      #expect(dead.body["status"] == "dead" && dead.body["attempt"] == 2, "\(dead)")
      #expect(dead.body["result"]?["error"]?.string?.contains("SIGABRT") == true, "\(dead)")
      let event = try await eventually("it is told") {
        try await agent.events("task_dead").first
      }
      #expect(event["task_id"]?.string == id && event["task"]?["name"] == "a task")
      let again = try await agent.client.send(
        "POST", "task-retrials", body: ["status": ["dead"], "type": "die"])
      #expect(again.body["retried"] == 1)
    }
  }

  @Test func `a killed host's tasks continue with the next host`() async throws {
    try await with { agent in
      let running = try await create(agent, "never")
      let waiting = try await create(agent, "echo", more: ["input": ["word": "later"]])
      _ = try await eventually("it runs") {
        let task = try await agent.client.send("GET", "tasks/\(running)")
        return task.body["status"] == "running" ? true : nil
      }
      let done = try await agent.client.send("GET", "tasks/\(waiting)/wait?wait_ms=60000")
      #expect(done.body["status"] == "succeeded", "\(done)")
      agent.signal(SIGKILL)
      _ = try await agent.ended()
      try await agent.run()
      _ = try await eventually("it runs again") {
        let task = try await agent.client.send("GET", "tasks/\(running)")
        return task.body["attempt"] == 2 && task.body["status"] == "running" ? true : nil
      }
      let stopped = try await agent.client.send(
        "POST", "tasks/\(running)/cancel", body: ["force": true])
      #expect(stopped.body["status"] == "cancelled", "\(stopped)")
    }
  }

  @Test func `people create, run and see tasks`() async throws {
    try await with { agent in
      #expect(try await agent.agent("task", "list").output == "No tasks.\n")
      let run = try await agent.agent(
        "task", "run", "say it", "--type", "echo", "--input", #"{"word": "hello"}"#)
      #expect(run.status == 0 && run.output.contains("Task 1 is succeeded"), "\(run)")
      #expect(run.output.contains("hello"))
      let bad = try await agent.agent("task", "run", "die", "--type", "die")
      #expect(bad.status == 1 && bad.output.contains("SIGABRT"), "\(bad)")
      let list = try await agent.agent("task", "list", "--status", "failed")
      #expect(list.output.contains("die") && !list.output.contains("say it"), "\(list)")
      let explained = try await agent.agent("task", "explain", "2")
      #expect(explained.output.contains("It is failed"), "\(explained)")
      let types = try await agent.agent("task", "types")
      #expect(types.output.contains("ticker/echo"), "\(types)")
      #expect(try await agent.agent("task", "show", "9").status == 4)
      let batch = try await agent.client.send(
        "POST", "task-batches",
        body: ["name": "n", "tasks": [["name": "a", "type": "echo", "input": ["word": "b"]]]])
      #expect(batch.status == 201 && batch.body["tasks"]?.array?.count == 1, "\(batch)")
      #expect(try await agent.agent("task", "batches").output.contains("n"))
    }
  }

  @Test func `only an administrator may run any program`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(
        modules: [], processes: [:],
        others: [
          "http": ["listen": "127.0.0.1:0"],
          "tasks": ["types": ["hello": ["executor": "command", "run_command": "echo hello"]]],
        ])
      try await agent.run()
      let port = try await agent.port()
      let made = try await agent.client.send(
        "POST", "tokens", body: ["name": "caller", "scopes": ["operate"]])
      let token = try #require(made.body["token"]?.string)
      func create(_ path: String, _ body: JSONValue) async throws -> Int {
        try await port.send("POST", "/api/v1/\(path)", token: token, body: body.text()).status
      }
      let program: JSONValue = ["name": "a", "run_command": "id"]
      #expect(try await create("tasks", program) == 403)
      #expect(try await create("task-batches", ["name": "n", "tasks": [program]]) == 403)
      #expect(
        try await create("tasks", ["name": "a", "type": "hello", "secrets": ["A"]]) == 403)
      #expect(try await create("tasks", ["name": "a", "type": "hello"]) == 201)
      let schedule: JSONObject = ["name": "s", "every": "1d", "task": ["run_command": "id"]]
      #expect(try await create("schedules", .object(schedule)) == 403)
      #expect(
        try await create("schedules", ["name": "s", "every": "1d", "task": ["type": "hello"]])
          == 201)
      let edit: JSONValue = ["task": ["secrets": ["A"]]]
      let edited = try await port.send(
        "PATCH", "/api/v1/schedules/s", token: token, body: edit.text())
      #expect(edited.status == 403)
      let mine = try await agent.client.send("POST", "tasks", body: program)
      let id = mine.body["id"]?.string ?? ""
      let input: JSONValue = ["data": ["program": "env"]]
      #expect(try await create("tasks/\(id)/execute", input) == 403)
      let done = try await agent.client.send(
        "POST", "tasks/\(id)/execute", body: ["wait_ms": 60_000])
      #expect(done.body["status"] == "succeeded", "\(done)")
    }
  }
}
