import AgentJSON
import Glibc
import TestSupport
import Testing

/// Every field of every route gets extremes: a refusal with its reason, or it works. The routes and
/// fields are those of the OpenAPI document of a running agent, so that a new one is tried without a
/// line here.
@Suite struct ExtremesTests {
  /// Operations that would end the test, and why.
  private static let leftOut: Set<String> = [
    "stop_agent",  // ends the host, as it should
    "set_up",  // open only before there is a user
    "sign_out",  // there is no session
  ]
  /// Operations about what there may be once only.
  private static let reached = [
    "update_bot", "set_bot_status", "accept_assignment", "complete_assignment", "reject_assignment",
    "assignment_heartbeat",
  ]
  /// Parameters that make a right request wait as long as they say.
  private static let waits: Set<String> = ["wait_ms", "timeout_ms", "within_ms"]

  @Test(.timeLimit(.minutes(15)))
  func `extremes in every field of every route are refused or work`() async throws {
    try await AgentUnderTest.with { agent in
      try Self.prepare(agent)
      try await agent.run()
      let target = try await Target(agent)
      #expect(target.operations.count > 100)
      let declared = DeclaredFields(target.sampler)
      var fields = 0
      for operation in target.operations where !Self.leftOut.contains(operation.name) {
        let missed = operation.schemas.values.flatMap(declared.missed)
        #expect(missed.isEmpty, "\(operation.name): \(missed)")
        fields += operation.schemas.values.reduce(0) { $0 + declared.all(of: $1).count }
        try await target.prepare(for: operation)
        for request in Self.requests(operation, target) {
          try await target.send(request, operation)
        }
      }
      #expect(
        target.withoutPlace.isEmpty,
        "\(target.withoutPlace.count) refusals without a place:\n\(target.withoutPlace.prefix(200).joined(separator: "\n"))"
      )
      // An extreme that the schema permits reaches what the operation does, or it proves nothing.
      for name in Self.reached {
        #expect(target.outcomes[name]?[200] ?? 0 > 1, "\(name): \(target.outcomes[name] ?? [:])")
      }
      #expect(target.sent > 5000, "only \(target.sent) requests were sent")
      print(
        "extremes: \(target.sent) requests with \(fields) fields of "
          + "\(target.operations.count - Self.leftOut.count) operations")
      try await Self.comesUpAgain(agent)
    }
  }

  /// What was stored mustn't end the next host either.
  private static func comesUpAgain(_ agent: AgentUnderTest) async throws {
    for _ in 1...2 {
      agent.signal(SIGKILL)
      _ = try await agent.ended()
      try await agent.run()
      let reply = try await agent.client.send("GET", "health/ready")
      #expect(reply.status == 200, "\(reply.body)")
    }
  }

  private static func prepare(_ agent: AgentUnderTest) throws {
    try agent.settings(
      modules: [], processes: [:],
      others: [
        "http": [
          "listen": "127.0.0.1:0",
          "allow_local_without_token": true,
          "limits": [
            "requests_per_second": 1_000_000, "burst": 1_000_000, "stream_seconds": 0.05,
            "heartbeat_seconds": 0.02,
          ],
        ],
        "tasks": [
          "types": [
            "probe": ["executor": "command", "run_command": "true"],
            "unread": ["executor": "command", "run_command": "false"],
          ]
        ],
      ])
  }

  /// The requests for one operation.
  private static func requests(_ operation: APIOperation, _ target: Target) -> [Target.Request] {
    let path = target.path(of: operation)
    let body = target.body(of: operation)
    var requests: [Target.Request] = []
    for name in target.placeholders(of: operation) {
      for word in Extreme.words {
        let path = target.path(of: operation, with: word.text, as: name)
        requests.append(
          Target.Request(what: "\(name): \(word.name)", path: path, body: body, field: [name]))
      }
    }
    for query in operation.queries {
      let rest = target.rest(of: operation, besides: query.name)
      for word in Extreme.words where !waits.contains(query.name) || Int(word.text) ?? -1 < 0 {
        requests.append(
          Target.Request(
            what: "?\(query.name): \(word.name)", path: "\(path)?\(query.name)=\(word.text)\(rest)",
            body: body, field: [query.name]))
      }
    }
    for (header, words) in ExtremeHeaders.all where operation.reads(header) {
      for word in words {
        requests.append(
          Target.Request(
            what: "\(header): \(word.prefix(24))", path: path, body: body,
            headers: [(header, word)], field: [header]))
      }
    }
    for type in operation.mediaTypes where type != "application/json" {
      for extreme in Extreme.values {
        requests.append(
          Target.Request(
            what: "\(type): \(extreme.name)", path: path, body: extreme.text,
            headers: [("Content-Type", type)]))
      }
    }
    guard let schema = operation.schemas["application/json"] else { return requests }
    let sampler = target.sampler
    for (field, part) in sampler.fields(of: schema) {
      for extreme in Extreme.values(for: part) {
        if waits.contains(field.last ?? ""), !extreme.text.hasPrefix("-") { continue }
        requests.append(
          Target.Request(
            what: "\(field.joined(separator: ".")): \(extreme.name)", path: path,
            body: sampler.text(for: schema, with: extreme.text, at: field), field: field))
      }
    }
    for bound in ["minimum", "maximum"] where !operation.name.contains("wait") {
      requests.append(
        Target.Request(
          what: "all at their \(bound)", path: path,
          body: sampler.text(for: schema, atBound: bound)))
    }
    for extreme in Extreme.values {
      requests.append(Target.Request(what: "body: \(extreme.name)", path: path, body: extreme.text))
    }
    return requests
  }
}
