import AgentJSON
import Glibc
import Testing

/// Bots outside of the agent, through its API, and TaskBot's own API and command line.
@Suite struct BotTests {
  private static let http: JSONObject = ["http": ["listen": "127.0.0.1:0"]]

  /// A bot as anybody would write one: it asks for work, accepts it, sends a heartbeat, ends it.
  private static let bot = """
    import json, os, sys, time, urllib.error, urllib.request
    base, token, bot, lease, stops = sys.argv[1:6]

    def call(method, path, body=None):
        request = urllib.request.Request(
            base + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": "Bearer " + token, "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def say(*words):
        print(*words, flush=True)

    while True:
        status, page = call("GET", f"/bots/{bot}/assignments?wait_ms=20000")
        assert status == 200, (status, page)
        for work in page["assignments"]:
            path = "/assignments/" + work["id"]
            status, _ = call("POST", path + "/accept", {"lease_ms": int(lease)})
            say("accepted", work["task_id"], status)
            if stops == "stops":
                os.kill(os.getpid(), 19)
            call("POST", path + "/heartbeat", {
                "progress": {"percent": 50}, "logs": [{"text": "half of it"}]})
            status, _ = call("POST", path + "/complete", {"result": {"by": bot}})
            say("completed", work["task_id"], status)
    """

  private func register(
    _ agent: AgentUnderTest, _ name: String, boost: Int = 0
  ) async throws -> (id: String, token: String) {
    let made = try await agent.client.send(
      "POST", "bots",
      body: [
        "name": .string(name),
        "capabilities": [
          ["name": "count", "task_types": ["counting"], "priority_boost": JSONValue(boost)]
        ],
      ])
    #expect(made.status == 201, "\(made)")
    let id = made.body["id"]?.string ?? ""
    let token = try await agent.client.send(
      "POST", "tokens",
      body: ["name": .string(name), "scopes": ["execute"], "bot": .string(id)])
    return (id, token.body["token"]?.string ?? "")
  }

  private func start(
    _ agent: AgentUnderTest, _ bot: (id: String, token: String), lease: Int, stops: Bool = false
  ) async throws -> Child {
    let port = try await agent.port().port
    try agent.folder.write("bot.py", Self.bot)
    let output = "\(agent.folder.path)/\(bot.id).out"
    return try Child(
      [
        "python3", "bot.py", "http://127.0.0.1:\(port)/api/v1", bot.token, bot.id, "\(lease)",
        stops ? "stops" : "goes",
      ], in: agent.folder.path, environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"],
      output: output, errors: output)
  }

  private func create(_ agent: AgentUnderTest) async throws -> String {
    let made = try await agent.client.send(
      "POST", "tasks",
      body: [
        "name": "count", "type": "counting", "status": "queued",
        "retry": ["attempts": 5, "initial_ms": 1],
      ])
    #expect(made.status == 201, "\(made)")
    return made.body["id"]?.string ?? ""
  }

  private func ended(_ agent: AgentUnderTest, _ task: String) async throws -> JSONValue {
    let reply = try await agent.client.send("GET", "tasks/\(task)/wait?wait_ms=60000")
    #expect(reply.status == 200, "\(reply)")
    return reply.body
  }

  @Test func `an outside program requests a task, performs it and reports the result`() async throws
  {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:], others: Self.http)
      try await agent.run()
      let bot = try await register(agent, "counter")
      let other = try await register(agent, "other")
      let child = try await start(agent, bot, lease: 30_000)
      _ = try await agent.client.send(
        "PUT", "bots/\(other.id)/status", body: ["status": "draining"])
      let task = try await create(agent)
      let done = try await ended(agent, task)
      #expect(done["status"] == "succeeded" && done["bot"] == .string(bot.id), "\(child.said)")
      #expect(done["result"]?["output"] == ["by": .string(bot.id)])
      let logs = try await agent.client.send("GET", "tasks/\(task)/logs")
      #expect(logs.body["lines"]?.array?.compactMap { $0["text"]?.string } == ["half of it"])
      // Its token is valid for its own assignments alone.
      let port = try await agent.port().port
      let stranger = PortRequest(
        method: "GET", target: "/api/v1/bots/\(other.id)/assignments", token: bot.token)
      #expect(try await stranger.send(to: port).status == 403)
      child.signal(SIGKILL)
    }
  }

  @Test func `a bot stopped past its lease can't complete the task, and another one does`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:], others: Self.http)
      try await agent.run()
      let first = try await register(agent, "stopped", boost: 10)
      let second = try await register(agent, "going")
      let stopped = try await start(agent, first, lease: 500, stops: true)
      let task = try await create(agent)
      _ = try await eventually("the first has accepted it", said: { stopped.said }) {
        stopped.said.contains("accepted \(task) 200") ? true : nil
      }
      let going = try await start(agent, second, lease: 30_000)
      let done = try await ended(agent, task)
      #expect(done["status"] == "succeeded" && done["bot"] == .string(second.id), "\(going.said)")
      stopped.signal(SIGCONT)
      _ = try await eventually("the first is refused", said: { stopped.said }) {
        stopped.said.contains("completed \(task) 409") ? true : nil
      }
      let again = try await agent.client.send("GET", "tasks/\(task)")
      #expect(again.body["result"]?["output"] == ["by": .string(second.id)])
      stopped.signal(SIGKILL)
      going.signal(SIGKILL)
    }
  }

  @Test func `TaskBot's command line works as documented, also by a link of its name`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      let (status, bot) = try await agent.json(
        "taskbot", "register-bot", "DataBot", "--bot-type", "worker", "--max-concurrent", "3",
        "--capabilities", "backup:data_backup:10", "health:system_health:5")
      #expect(status == 0 && bot["success"] == true, "\(bot)")
      let id = bot["bot_id"]?.string ?? ""
      let mine = try await agent.json(
        "taskbot", "register-bot", "MyBot", "--capabilities", "coding:custom,system_health")
      #expect(mine.status == 0)
      let strategy = try await agent.agent("taskbot", "set-strategy", "load_balanced")
      #expect(strategy.output == "The strategy is load_balanced.\n", "\(strategy)")
      let task = try await agent.json(
        "taskbot", "create-task", "Nightly", "--task-type", "data_backup", "--priority", "high",
        "--description", "All of it")
      let number = task.value["task_id"]?.string ?? ""
      let pending = try await eventually("the task is given to somebody") {
        let answer = try await agent.json("taskbot", "list-assignments", "--status", "pending")
        return answer.value["assignments"]?.array?.first
      }
      #expect(pending["bot_id"] == .string(id) && pending["task_id"] == .string(number))
      #expect(pending["strategy"] == "load_balanced")
      let told = try await agent.agent("taskbot", "--verbose", "status")
      #expect(told.status == 0 && told.errors.contains("/api/taskbot/system/stats"), "\(told)")
      let wrong = try await agent.agent("taskbot", "assign-task", number, "--bot-id", "bot-none")
      #expect(wrong.status == 4, "\(wrong)")
      symlink(Places.agent, "\(agent.folder.path)/taskbot")
      let link = try Child(
        ["./taskbot", "health"], in: agent.folder.path,
        environment: ["PATH": "/usr/bin:/bin", "HOME": agent.folder.path],
        output: "\(agent.folder.path)/link.out", errors: "\(agent.folder.path)/link.err")
      let health = try await link.finished()
      #expect(health.status == 0 && health.output.contains("healthy"), "\(health)")
    }
  }

  @Test func `TaskBot's documented bodies are accepted`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      func taskbot(
        _ method: String, _ path: String, body: String = ""
      ) async throws -> (status: Int, value: JSONValue) {
        let headers = body.isEmpty ? [] : ["Content-Type: application/json"]
        let answer = try await agent.client.answer(
          method, "/api/taskbot/\(path)", headers: headers, body: body)
        return (answer.status, (try? JSONValue(parsing: answer.body)) ?? .null)
      }
      let bot = try await taskbot(
        "POST", "bots/register",
        body: """
          {"name":"DataBot","bot_type":"worker","max_concurrent_tasks":3,"capabilities":[{"name":"backup","description":"Data backup capability","task_types":["data_backup","system_health"],"priority_boost":10}]}
          """)
      #expect(bot.status == 200, "\(bot)")
      let id = bot.value["bot_id"]?.string ?? ""
      let task = try await taskbot(
        "POST", "tasks",
        body: """
          {"name":"Health Check","description":"Comprehensive system health check","task_type":"system_health","priority":"high","subsystem":"health_monitor"}
          """)
      #expect(task.status == 200, "\(task)")
      let unknown = try await taskbot(
        "POST", "tasks", body: "{\"name\": \"a\", \"task_type\": \"none\"}")
      #expect(unknown.status == 400, "\(unknown)")
      #expect(unknown.value["detail"]?.string?.hasPrefix("task_type: ") == true, "\(unknown)")
      let assignment = try await eventually("an assignment") {
        try await taskbot("GET", "assignments?status=pending").value["assignments"]?.array?.first
      }
      let number = assignment["assignment_id"]?.string ?? ""
      #expect(try await taskbot("GET", "assignments/\(number)").value["bot_id"] == .string(id))
      let stats = try await taskbot("GET", "system/stats").value
      #expect(stats["total_bots"] == 1 && stats["online_bots"] == 1 && stats["queue_size"] == 0)
      let done = try await taskbot("POST", "assignments/\(number)/complete")
      #expect(done.value["status"] == "completed", "\(done)")
      let config = try await taskbot(
        "POST", "system/config", body: "{\"assignment_strategy\": \"load_balanced\"}")
      #expect(config.value["assignment_strategy"] == "load_balanced", "\(config)")
      for path in [
        "bots", "bots/\(id)", "bots/\(id)/stats", "system/health", "available-bots", "task-types",
        "bot-types", "priorities",
      ] { #expect(try await taskbot("GET", path).status == 200, "\(path)") }
      let away = try await taskbot("PUT", "bots/\(id)/status", body: "{\"status\":\"offline\"}")
      #expect(away.value["status"] == "offline")
      #expect(try await taskbot("DELETE", "bots/\(id)").value["success"] == true)
      #expect(try await taskbot("GET", "bots/\(id)").status == 404)
    }
  }
}
