import AgentJSON
import TestSupport
import Testing

extension ExtremesTests {
  /// A running agent, and what its document says.
  final class Target {
    struct Request {
      let what: String
      let path: String
      let body: String?
      var headers: [(name: String, value: String)] = []
    }

    let agent: AgentUnderTest
    let operations: [APIOperation]
    let sampler: SchemaSampler
    private let port: Int
    private(set) var sent = 0

    /// What stands for a part of a path.
    private static let words = [
      "id": "1", "assignment_id": "1", "task_id": "1", "schedule": "nightly", "key": "k",
      "owner": "nobody", "kind": "actions",
    ]

    init(_ agent: AgentUnderTest) async throws {
      self.agent = agent
      port = try await agent.port().port
      let reply = try await PortRequest(target: "/api/openapi.json").send(to: port)
      operations = APIOperation.all(in: reply.json)
      sampler = SchemaSampler(components: reply.json["components"]?["schemas"] ?? [:])
      try await create("tasks", ["name": "first", "type": "probe"])
      try await create(
        "schedules", ["name": "nightly", "every": "1d", "task": ["name": "n", "type": "probe"]])
      try await create(
        "bots",
        [
          "name": "b", "bot_type": "worker",
          "capabilities": [["name": "c", "task_types": ["outside"]]],
        ])
    }

    private func create(_ path: String, _ body: JSONValue) async throws {
      let reply = try await agent.client.send("POST", path, body: body)
      #expect(reply.status == 201, "\(reply.error)")
    }

    func placeholders(of operation: APIOperation) -> [String] {
      operation.path.split(separator: "/").filter { $0.hasPrefix("{") }
        .map { $0.dropFirst().dropLast().filter { $0 != "." }.description }
    }

    /// Its path, with names of what there is, or with one of the test's own.
    func path(of operation: APIOperation, with word: String? = nil, as name: String = "") -> String
    {
      operation.path.split(separator: "/", omittingEmptySubsequences: false).map { part in
        guard part.hasPrefix("{") else { return String(part) }
        let place = part.dropFirst().dropLast().filter { $0 != "." }
        if place == name, let word { return word }
        return Self.words[place] ?? "nothing"
      }.joined(separator: "/")
    }

    /// A body that goes further than the least that its schema asks for: tasks are of a type that
    /// exists, and are done.
    func base(of operation: APIOperation, _ text: String) -> String {
      switch operation.name {
      case "create_task" where text.hasSuffix("}"):
        let rest = text.dropFirst().contains("\"type\":") ? "" : "\"type\":\"probe\","
        let status = text.contains("\"status\":") ? "" : "\"status\":\"queued\","
        return "{" + rest + status + text.dropFirst()
      default: return text
      }
    }

    /// Sends it, and expects an answer that isn't a fault of the host.
    func send(_ request: Request, _ operation: APIOperation) async throws {
      sent += 1
      var message = PortRequest(method: operation.method, target: request.path)
      message.headers = request.headers
      if let body = request.body {
        if request.headers.isEmpty { message.headers.append(("Content-Type", "application/json")) }
        message.body = body
      }
      let reply: PortReply
      do {
        reply = try await message.send(to: port)
      } catch {
        throw HarnessError("\(operation.name), \(request.what): \(error)")
      }
      let place: Comment =
        "\(operation.name), \(request.what): \(reply.status) \(reply.body.prefix(300))"
      #expect(reply.status < 500 || reply.status == 503, place)
      // The HTTP server itself refuses a head that is none, without a reason.
      let isHead = request.body == nil && !request.headers.isEmpty
      if reply.status >= 400, !isHead || !reply.body.isEmpty {
        #expect(reply.json["detail"]?.string?.isEmpty == false, place)
        #expect(reply.body.utf8.count < 100_000, place)
      }
    }
  }
}
