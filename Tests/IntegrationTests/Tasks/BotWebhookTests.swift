import AgentJSON
import Glibc
import TestSupport
import Testing

/// Bots that are called by a webhook, or listen to a stream; and what a bot's token doesn't open.
@Suite struct BotWebhookTests {
  private func settings(
    _ agent: AgentUnderTest, allowsPrivate: Bool = true, answerWithin: String = "5m"
  ) throws {
    try agent.folder.write(".env", "HOOK_KEY=whsec_c2VjcmV0LW9mLXRoZS1ib3Q=\n")
    try agent.settings(
      modules: [], processes: [:],
      others: [
        "http": ["listen": "127.0.0.1:0"],
        "bots": [
          "allow_private": .bool(allowsPrivate), "answer_within": .string(answerWithin),
        ],
      ])
  }

  private func register(
    _ agent: AgentUnderTest, _ name: String, hook: JSONValue? = nil
  ) async throws -> String {
    var body: JSONObject = [
      "name": .string(name), "max_concurrent_tasks": 5,
      "capabilities": [["name": "c", "task_types": ["calling"]]],
    ]
    body["webhook"] = hook
    let made = try await agent.client.send("POST", "bots", body: .object(body))
    #expect(made.status == 201, "\(made)")
    return made.body["id"]?.string ?? ""
  }

  private func create(_ agent: AgentUnderTest) async throws -> String {
    let made = try await agent.client.send(
      "POST", "tasks", body: ["name": "call", "type": "calling", "status": "queued"])
    #expect(made.status == 201, "\(made)")
    return made.body["id"]?.string ?? ""
  }

  private func ended(_ agent: AgentUnderTest, _ task: String) async throws -> JSONValue {
    try await agent.client.send("GET", "tasks/\(task)/wait?wait_ms=120000").body
  }

  @Test func `a webhook bot is called with a signature until it answers, also by the next host`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try settings(agent)
      try await agent.run()
      let receiver = try WebhookReceiver([
        .status(503), .status(200, [], #"{"result": {"by": "hook"}}"#), .status(500),
      ])
      let url = "http://127.0.0.1:\(receiver.port)/hook"
      let bot = try await register(
        agent, "hooked", hook: ["url": .string(url), "secret": "HOOK_KEY"])
      let done = try await ended(agent, create(agent))
      #expect(done["status"] == "succeeded" && done["bot"] == .string(bot), "\(done)")
      #expect(done["result"]?["output"] == ["by": "hook"])
      let requests = receiver.requests
      #expect(requests.count == 2 && Set(requests.map(\.id)).count == 1)
      #expect(requests[0].headers["webhook-signature"]?.hasPrefix("v1,") == true)
      #expect(requests[0].json["data"]?["task"]?["name"] == "call")
      // Not delivered when the host is killed: the next one delivers it.
      let task = try await create(agent)
      _ = try await eventually("it was tried") { receiver.requests.count == 3 ? true : nil }
      agent.signal(SIGKILL)
      _ = try await agent.ended()
      try await agent.run()
      _ = try await eventually("it is tried again", within: .longest) {
        receiver.requests.count > 3 ? true : nil
      }
      let last = try #require(receiver.requests.last)
      #expect(last.json["data"]?["task_id"] == .string(task))
      let number = last.json["data"]?["id"]?.string ?? ""
      let answer = try await agent.client.send(
        "POST", "assignments/\(number)/complete", body: ["result": 7])
      #expect(answer.status == 200, "\(answer)")
      #expect(try await ended(agent, task)["status"] == "succeeded")
    }
  }

  @Test func `a webhook bot at a forbidden address isn't called, and its offer expires`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try settings(agent, allowsPrivate: false, answerWithin: "1s")
      try await agent.run()
      let receiver = try WebhookReceiver()
      let bot = try await register(
        agent, "inside", hook: ["url": .string("http://127.0.0.1:\(receiver.port)/")])
      _ = try await create(agent)
      _ = try await eventually("the offer has run out", within: .longest) {
        let page = try await agent.client.send("GET", "assignments?bot=\(bot)")
        return page.body["assignments"]?.array?.first?["status"] == "timed_out" ? true : nil
      }
      #expect(receiver.requests.isEmpty)
      for hook: JSONValue in [
        ["url": "ftp://example.org"], ["url": "https://example.org", "secret": "NO_SUCH"], [:],
      ] {
        let refused = try await agent.client.send(
          "POST", "bots", body: ["name": "a", "webhook": hook])
        #expect((400..<500).contains(refused.status), "\(refused)")
      }
    }
  }

  private static let listener = """
    import json, sys, urllib.request
    base, token, bot = sys.argv[1:4]

    def call(method, path, body=None):
        request = urllib.request.Request(
            base + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": "Bearer " + token, "Content-Type": "application/json"})
        return urllib.request.urlopen(request, timeout=120)

    for line in call("GET", f"/bots/{bot}/assignments/stream"):
        if line.startswith(b"data: "):
            work = json.loads(line[6:])
            call("POST", f"/assignments/{work['id']}/complete", {"result": {"by": "stream"}})
            print("did", work["task"]["id"], flush=True)
    """

  @Test func `a bot receives its offers as a stream`() async throws {
    try await AgentUnderTest.with { agent in
      try settings(agent)
      try await agent.run()
      let bot = try await register(agent, "listener")
      let early = try await create(agent)
      let token = try await agent.client.send(
        "POST", "tokens", body: ["name": "listener", "scopes": ["execute"], "bot": .string(bot)])
      let port = try await agent.port().port
      try agent.folder.write("listen.py", Self.listener)
      let output = "\(agent.folder.path)/listener.out"
      let child = try Child(
        [
          "python3", "listen.py", "http://127.0.0.1:\(port)/api/v1",
          token.body["token"]?.string ?? "", bot,
        ], in: agent.folder.path, environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"],
        output: output, errors: output)
      #expect(try await ended(agent, early)["status"] == "succeeded", "\(child.said)")
      for _ in 0..<3 {
        let done = try await ended(agent, create(agent))
        #expect(done["result"]?["output"] == ["by": "stream"], "\(child.said)")
      }
      child.signal(SIGKILL)
    }
  }

  @Test func `a bot's token permits its own assignments only, whatever its scopes`() async throws {
    try await AgentUnderTest.with { agent in
      try settings(agent)
      try await agent.run()
      let (own, other) = (
        try await register(agent, "own"), try await register(agent, "other")
      )
      _ = try await agent.client.send("PUT", "bots/\(own)/status", body: ["status": "draining"])
      _ = try await create(agent)
      let foreign = try await eventually("the other one is offered it") {
        let page = try await agent.client.send("GET", "bots/\(other)/assignments")
        return page.body["assignments"]?.array?.first?["id"]?.string
      }
      let made = try await agent.client.send(
        "POST", "tokens", body: ["name": "own", "scopes": ["operate"], "bot": .string(own)])
      let token = made.body["token"]?.string ?? ""
      let port = try await agent.port()
      let bot = #"{"name": "mine"}"#
      for example in [
        (method: "GET", path: "bots/\(other)/assignments", body: nil),
        (method: "GET", path: "bots/\(other)/assignments/stream", body: nil),
        (method: "PUT", path: "bots/\(other)", body: bot),
        (method: "DELETE", path: "bots/\(other)", body: nil),
        (method: "POST", path: "bots", body: bot),
        (method: "PUT", path: "bots/\(other)/status", body: #"{"status": "offline"}"#),
        (method: "POST", path: "bots/\(other)/heartbeat", body: nil),
        (method: "GET", path: "assignments/\(foreign)", body: nil),
        (method: "POST", path: "assignments/\(foreign)/accept", body: "{}"),
        (method: "POST", path: "assignments/\(foreign)/reject", body: "{}"),
        (method: "POST", path: "assignments/\(foreign)/complete", body: "{}"),
        (method: "POST", path: "assignments/\(foreign)/heartbeat", body: "{}"),
        (method: "POST", path: "assignments", body: #"{"task_id": "1"}"#),
        (
          method: "PUT", path: "assignment-strategy",
          body: #"{"assignment_strategy": "round_robin"}"#
        ),
      ] as [(method: String, path: String, body: String?)] {
        let reply = try await port.send(
          example.method, "/api/v1/\(example.path)", token: token, body: example.body)
        #expect(reply.status == 403, "\(example.method) \(example.path): \(reply.text)")
      }
      for example in [
        (method: "DELETE", path: "bots/\(other)", body: nil),
        (method: "POST", path: "bots/register", body: bot),
        (method: "PUT", path: "bots/\(other)/status", body: #"{"status": "offline"}"#),
        (method: "POST", path: "assignments", body: #"{"task_id": "1"}"#),
        (method: "POST", path: "assignments/\(foreign)/complete", body: "{}"),
        (method: "POST", path: "system/config", body: #"{"assignment_strategy": "round_robin"}"#),
      ] as [(method: String, path: String, body: String?)] {
        let reply = try await port.send(
          example.method, "/api/taskbot/\(example.path)", token: token, body: example.body)
        #expect(reply.status == 403, "\(example.method) \(example.path): \(reply.text)")
      }
      let mine = try await port.send(
        "PUT", "/api/v1/bots/\(own)/status", token: token, body: #"{"status": "online"}"#)
      #expect(mine.status == 200, "\(mine.text)")
    }
  }
}
