import AgentJSON
import TestSupport
import Testing

/// What callers may do with objects that exist and belong to somebody else. A 404 for a name that
/// doesn't exist would hide a missing check.
@Suite struct OwnershipTests {
  /// A running agent with an object of each kind, and what belongs to it.
  private struct Scene {
    let agent: AgentUnderTest
    let port: Int
    let operations: [APIOperation]
    let sampler: SchemaSampler
    /// Bodies of operations that read them before they know whose object it is.
    private static let bodies = ["update_bot": #"{"name": "mine"}"#]
    /// The name of an object, by the part of the path before it.
    var objects: [String: String] = [:]

    /// The path of an operation on those objects; nil where one is missing.
    func path(of operation: APIOperation) -> String? {
      let parts = operation.path.split(separator: "/").map(String.init)
      guard parts.contains(where: { $0.hasPrefix("{") }) else { return nil }
      var path = ""
      for (index, part) in parts.enumerated() {
        guard part.hasPrefix("{") else {
          path += "/\(part)"
          continue
        }
        let before = index > 0 ? parts[index - 1] : ""
        guard let name = objects[part] ?? objects[before] else { return nil }
        path += "/\(name)"
      }
      return path
    }

    func send(_ operation: APIOperation, to path: String, token: String?) async throws -> PortReply
    {
      var request = PortRequest(method: operation.method, target: path, token: token)
      if let schema = operation.body {
        request.headers = [("Content-Type", "application/json")]
        request.body = Self.bodies[operation.name] ?? sampler.text(for: schema, atBound: "minimum")
      }
      return try await request.send(to: port)
    }

    /// What must not change.
    func state() async throws -> [JSONValue] {
      var state: [JSONValue] = []
      for path in [
        "tasks/\(objects["tasks"] ?? "")", "bots/\(objects["bots"] ?? "")", "schedules/nightly",
        "task-batches/\(objects["task-batches"] ?? "")", "state/clock/k",
      ] {
        let reply = try await agent.client.send("GET", path)
        #expect(reply.status == 200, "\(path): \(reply.error)")
        state.append(
          .array(["name", "state", "status", "priority", "value"].map { reply.body[$0] ?? .null }))
      }
      for (path, list, member) in [
        ("users", "users", "name"), ("alerts", "alerts", "state"),
        ("deliveries", "deliveries", "state"), ("events/consumers", "consumers", "name"),
      ] {
        let reply = try await agent.client.send("GET", path)
        #expect(reply.status == 200, "\(path): \(reply.error)")
        let objects = reply.body[list]?.array ?? []
        #expect(!objects.isEmpty, "\(path): \(reply.body)")
        state.append(.array(objects.map { $0[member] ?? .null }))
      }
      return state
    }
  }

  private func scene(_ agent: AgentUnderTest) async throws -> Scene {
    try await agent.addTicker()
    var others = AuthorizationTests.settings
    others["tasks"] = ["types": ["paint": ["executor": "bots"]]]
    others["notifications"] = [
      "rules": [["name": "high", "when": ["event": "alert"], "to": ["log"]]]
    ]
    // Nobody reports here, and the owner of the task must keep it.
    others["bots"] = ["heartbeat_timeout": "1h", "lease": "1h", "answer_within": "1h"]
    try agent.settings(modules: ["ticker"], processes: ["clock": ["type": "ticks"]], others: others)
    try await agent.run()
    let port = try await agent.port()
    func make(_ method: String, _ path: String, _ body: JSONValue) async throws -> JSONValue {
      let reply = try await agent.client.send(method, path, body: body)
      #expect((200...201).contains(reply.status), "\(path): \(reply.error)")
      return reply.body
    }
    let reader = try await make("POST", "tokens", ["name": "r", "scopes": ["read"]])
    let document = try await PortRequest(
      target: "/api/openapi.json", token: reader["token"]?.string
    ).send(to: port.port).json
    var scene = Scene(
      agent: agent, port: port.port, operations: APIOperation.all(in: document),
      sampler: SchemaSampler(components: document["components"]?["schemas"] ?? [:]))
    scene.objects = [
      "processes": "clock", "modules": "ticker", "{kind}": "actions", "{contribution}": "echo",
      "schedules": "nightly", "{owner}": "clock", "{key}": "k", "users": "ada",
      "artifacts": "x.txt", "notifiers": "log", "tokens": reader["id"]?.string ?? "",
    ]
    let painter: JSONValue = [
      "name": "painter", "capabilities": [["name": "p", "task_types": ["paint"]]],
    ]
    let bot = try #require(try await make("POST", "bots", painter)["id"]?.string)
    scene.objects["bots"] = bot
    let token = try await make(
      "POST", "tokens",
      ["name": "painter", "scopes": ["execute", "read"], "bot": .string(bot)])["token"]?.string
    let task = try await make(
      "POST", "tasks", ["name": "first", "type": "paint", "status": "queued"])
    scene.objects["tasks"] = task["id"]?.string
    let offer = try await eventually("an offer") {
      let path = "/api/v1/bots/\(bot)/assignments?wait_ms=1000"
      return try await port.send("GET", path, token: token).body["assignments"]?[0]?["id"]?.string
    }
    scene.objects["assignments"] = offer
    for (path, method, body) in [("accept", "POST", "{}"), ("artifacts/x.txt", "PUT", "x")] {
      let reply = try await port.send(
        method, "/api/v1/assignments/\(offer)/\(path)", token: token, body: body)
      #expect(reply.status == 200, "\(reply.text)")
    }
    _ = try await make(
      "POST", "schedules",
      ["name": "nightly", "every": "365d", "task": ["name": "n", "type": "paint"]])
    let batch = try await make(
      "POST", "task-batches", ["name": "b", "tasks": [["name": "n", "type": "paint"]]])
    scene.objects["task-batches"] = batch["batch"]?.string
    _ = try await make(
      "POST", "users", ["name": "ada", "role": "viewer", "password": "correct horse"])
    _ = try await make("PUT", "state/clock/k", 1)
    _ = try await make("POST", "events", ["type": "alert", "source": "t", "key": 1])
    for kind in ["alerts", "deliveries"] {
      let id = try await eventually("something in \(kind)") {
        try await agent.client.send("GET", kind).body[kind]?[0]?["id"]
      }
      scene.objects[kind] = id.string ?? "\(id)"
    }
    scene.objects["consumers"] = "agent%2Fnotifications"
    return scene
  }

  @Test func `nobody without the scope reaches an object, and no bot one of another bot`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      let scene = try await scene(agent)
      let askers = try await AuthorizationTests().askers(
        agent, PortClient(port: scene.port))
      let before = try await scene.state()
      var tried = 0
      for operation in scene.operations where operation.path.contains("{") {
        guard let scope = operation.scope else { continue }
        let path = try #require(
          scene.path(of: operation), "\(operation.name) needs an object: \(operation.path)")
        for asker in askers {
          let mayAsBot = !asker.isBot || operation.json["x-for-bots"] == true
          let isPermitted = asker.token != nil && asker.scopes.contains(scope) && mayAsBot
          // A permitted caller would end the objects that the others are tried on.
          if isPermitted, !asker.isBot { continue }
          tried += 1
          let reply = try await scene.send(operation, to: path, token: asker.token)
          #expect(
            reply.status == (asker.token == nil ? 401 : 403),
            "\(operation.name) \(path), \(asker.name): \(reply.status) \(reply.body.prefix(300))")
        }
      }
      #expect(tried > 400, "\(tried)")
      #expect(try await scene.state() == before)
    }
  }
}
