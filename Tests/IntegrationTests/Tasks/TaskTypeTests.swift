import AgentJSON
import Glibc
import Testing

/// Tasks that programs, functions and requests do, and the types of the settings.
@Suite struct TaskTypeTests {
  private func with(
    _ tasks: JSONObject, _ body: (AgentUnderTest) async throws -> Void
  ) async throws {
    try await AgentUnderTest.with { agent in
      try agent.folder.write(
        "jobs.py", "def total(context):\n    print('adding')\n    return sum(context['data'])\n")
      try agent.folder.write(".env", "SHOP_KEY=a-key-of-the-shop\n")
      chmod("\(agent.folder.path)/.env", 0o600)
      try agent.settings(modules: [], processes: [:], others: ["tasks": .object(tasks)])
      try await agent.run()
      try await body(agent)
    }
  }

  private struct End {
    let status: Int
    let task: JSONValue
    let error: String
  }

  private func end(
    _ agent: AgentUnderTest, _ body: JSONObject
  ) async throws -> End {
    var body = body
    (body["name"], body["status"]) = ("a task", "queued")
    let made = try await agent.client.send("POST", "tasks", body: .object(body))
    guard made.status == 201 else {
      return End(status: made.status, task: made.body, error: made.error)
    }
    let id = made.body["id"]?.string ?? ""
    let done = try await agent.client.send("GET", "tasks/\(id)/wait?wait_ms=60000")
    return End(status: made.status, task: done.body, error: done.error)
  }

  @Test func `programs, functions and the settings' types run as tasks`() async throws {
    let types: JSONValue = [
      "total": [
        "executor": "command", "run_command": "python:jobs.py:total",
        "input": ["type": "array", "items": ["type": "integer"]], "description": "Adds.",
      ],
      "key": ["executor": "command", "run_command": "printenv SHOP_KEY", "secrets": ["SHOP_KEY"]],
      "paint": ["executor": "bots"],
    ]
    try await with(["types": types]) { agent in
      let said = try await end(agent, ["run_command": "echo 'a  b'"])
      #expect(said.task["type"] == "command", "\(said)")
      #expect(said.task["result"]?["output"]?["stdout"] == "a  b\n", "\(said)")
      let total = try await end(agent, ["type": "total", "input": [1, 2, 3]])
      #expect(total.task["result"]?["output"] == 6, "\(total)")
      let wrong = try await end(agent, ["type": "total", "input": ["a"]])
      #expect(wrong.status == 400 && wrong.error.contains("expected an integer"), "\(wrong)")
      let other = try await end(agent, ["type": "total", "input": [1], "run_command": "true"])
      #expect(
        other.status == 400 && other.error.contains("The settings set the command"), "\(other)")
      let key = try await end(agent, ["type": "key"])
      #expect(key.task["result"]?["output"]?["stdout"] == "[secret]\n", "\(key)")
      let shell = try await end(agent, ["run_command": "a | b", "shell": true])
      #expect(shell.status == 400 && shell.error.contains("allow_shell"), "\(shell)")
      let listed = try await agent.agent("task", "types")
      #expect(listed.output.contains("Adds.") && listed.output.contains("paint"), "\(listed)")
      let metrics = try await agent.client.send("GET", "metrics")
      #expect("\(metrics.body)".contains("bulkhead_tasks_completed_total"), "\(metrics)")
    }
  }

  @Test func `an HTTP request runs as a task, to private addresses only if permitted`() async throws
  {
    try await with([
      "allow_private": true,
      "types": [
        "knock": ["executor": "http", "url": "http://127.0.0.1:9/", "method": "POST"]
      ],
    ]) { agent in
      let refused = try await end(agent, ["type": "http", "input": ["url": "nowhere"]])
      #expect(refused.status == 400 && refused.error.contains("https://example.org"), "\(refused)")
      let missing = try await end(agent, ["type": "http", "input": ["method": "GET"]])
      #expect(missing.status == 400, "\(missing)")
      let closed = try await end(agent, ["type": "knock", "input": ["a": 1]])
      #expect(closed.task["status"] == "failed", "\(closed)")
      #expect(
        closed.task["result"]?["error"]?.string?.contains("can't be reached") == true, "\(closed)")
    }
    try await with([:]) { agent in
      let inside = try await end(
        agent, ["type": "http", "input": ["url": "http://127.0.0.1:9/"]])
      #expect(
        inside.task["result"]?["error"]?.string?.contains("no public address") == true, "\(inside)")
    }
  }
}
