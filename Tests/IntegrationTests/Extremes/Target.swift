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
      /// The field, parameter or header that has the extreme. Empty when it is the whole body.
      var field: SchemaSampler.Field = []
    }

    let agent: AgentUnderTest
    let operations: [APIOperation]
    let sampler: SchemaSampler
    private let port: Int
    /// The bot of the test, and the paths' names of what there is.
    private var bot = ""
    private var words = [
      "id": "1", "assignment_id": "1", "task_id": "1", "schedule": "1", "key": "k",
      "owner": "nobody", "kind": "actions",
    ]
    private(set) var sent = 0
    /// The numbers of answers by operation and status.
    private(set) var outcomes: [String: [Int: Int]] = [:]
    /// Refusals of a value that don't say where it was.
    private(set) var withoutPlace: [String] = []

    /// Rules that the document leaves to the host. A body keeps them, so that its extreme is its only
    /// fault: types exist, there is one timing, and an address is one. Tasks are done, too.
    private static let needs: JSONValue = [
      "NewTask": [
        "required": ["name", "type", "status"],
        "properties": ["type": ["examples": ["probe"]], "status": ["const": "queued"]],
      ],
      "NewSchedule": [
        "oneOf": [["required": ["every"]], ["required": ["cron"]], ["required": ["at"]]],
        "properties": ["every": ["examples": ["1d"]]],
      ],
      "ScheduledTask": [
        "required": ["type"], "properties": ["type": ["examples": ["probe"]]],
      ],
      "NewBot": [
        "properties": [
          "webhook": ["properties": ["url": ["examples": ["https://example.org/hook"]]]]
        ]
      ],
      "TaskSchedule": [
        "oneOf": [
          ["required": ["every"]], ["required": ["cron"]], ["required": ["cron_expression"]],
          ["required": ["at"]],
        ],
        "properties": ["every": ["examples": ["1d"]]],
      ],
      "NewAssignment": ["properties": ["task_id": ["examples": ["1"]]]],
      "UserChange": ["required": ["role"]], "TaskEdit": ["required": ["description"]],
      "ScheduleEdit": ["required": ["description"]],
    ]

    init(_ agent: AgentUnderTest) async throws {
      self.agent = agent
      port = try await agent.port().port
      let reply = try await PortRequest(target: "/api/openapi.json").send(to: port)
      operations = APIOperation.all(in: reply.json)
      let schemas = reply.json["components"]?["schemas"] ?? [:]
      sampler = SchemaSampler(components: schemas.merging(patch: Self.needs))
      try await create("tasks", ["name": "first", "type": "probe"])
      try await create(
        "schedules", ["name": "nightly", "every": "1d", "task": ["name": "n", "type": "probe"]])
      try await createBot()
    }

    @discardableResult
    private func create(_ path: String, _ body: JSONValue) async throws -> JSONValue {
      let reply = try await agent.client.send("POST", path, body: body)
      #expect(reply.status == 201, "\(reply.error)")
      return reply.body
    }

    private func createBot() async throws {
      let made = try await create(
        "bots",
        [
          "name": "b", "bot_type": "worker", "max_concurrent_tasks": 1000,
          "capabilities": [["name": "c", "task_types": ["outside"]]],
        ])
      bot = try #require(made["id"]?.string)
    }

    /// Makes what the requests of an operation are about. Earlier ones may have removed it.
    func prepare(for operation: APIOperation) async throws {
      words["id"] = "1"
      guard operation.path.contains("/bots/{") else { return }
      try await createBot()
      words["id"] = bot
    }

    /// Returns the path of a request that changes an assignment, with one that was accepted just
    /// now in place of the first. Most changes end an assignment, so each request gets its own.
    private func withOwnAssignment(
      _ path: String, of operation: APIOperation
    ) async throws -> String {
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      guard operation.method != "GET", operation.path.contains("/assignments/{"),
        let place = parts.firstIndex(of: "assignments"), place + 1 < parts.count,
        parts[place + 1] == "1"
      else { return path }
      let task = try await create("tasks", ["name": "n", "type": "outside"])
      let made = try await create(
        "assignments", ["task_id": task["id"] ?? 0, "bot_id": .string(bot)])
      let id = try #require(made["id"]?.string)
      if !operation.name.hasPrefix("accept"), !operation.name.hasPrefix("reject") {
        let reply = try await agent.client.send("POST", "assignments/\(id)/accept", body: [:])
        #expect(reply.status == 200, "\(reply.error)")
      }
      var own = parts.map(String.init)
      own[place + 1] = id
      return own.joined(separator: "/")
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
        return words[place] ?? "nothing"
      }.joined(separator: "/")
    }

    /// The parameters that a query string needs besides one with an extreme.
    func rest(of operation: APIOperation, besides name: String) -> String {
      let isTimed = ["cron", "every", "at"].contains(name)
      return operation.name == "preview_schedule" && !isTimed ? "&every=1d" : ""
    }

    /// A body without an extreme, for what has one elsewhere.
    func body(of operation: APIOperation) -> String? {
      operation.schemas["application/json"].map { sampler.text(for: $0) }
    }

    /// The field that a refusal must name.
    private func place(of request: Request, _ operation: APIOperation) -> RefusedPlace {
      // The name becomes an entry of the settings, and the refusal has the problems of those.
      RefusedPlace(operation.name == "enable_module" ? ["enabled_modules"] : request.field)
    }

    /// Notes a refusal of the request's content that doesn't say where the value was.
    private func note(_ reply: PortReply, _ request: Request, _ operation: APIOperation) {
      guard reply.status == 400 || reply.status == 422, !request.field.isEmpty else { return }
      let detail = reply.json["detail"]?.string ?? ""
      // What isn't decoded has no parts with names yet.
      if detail.hasPrefix("The path of the address") { return }
      guard !place(of: request, operation).isNamed(by: reply.json) else { return }
      withoutPlace.append("\(operation.name), \(request.what): \(detail.prefix(200))")
    }

    /// Sends it, and expects an answer that isn't a fault of the host.
    func send(_ request: Request, _ operation: APIOperation) async throws {
      sent += 1
      let path = try await withOwnAssignment(request.path, of: operation)
      var message = PortRequest(method: operation.method, target: path)
      message.headers = request.headers
      if let body = request.body {
        if !request.headers.contains(where: { $0.name == "Content-Type" }) {
          message.headers.append(("Content-Type", "application/json"))
        }
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
      let isHead = request.headers.contains { [$0.name] == request.field }
      outcomes[operation.name, default: [:]][reply.status, default: 0] += 1
      if reply.status >= 400, !isHead || !reply.body.isEmpty {
        #expect(reply.json["detail"]?.string?.isEmpty == false, place)
        #expect(reply.body.utf8.count < 100_000, place)
        note(reply, request, operation)
      }
    }
  }
}
