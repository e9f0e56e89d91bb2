import AgentJSON
import AgentKit
import CAgentModule
import Testing

/// Answers what it was asked, in several forms.
private struct Mirror: Route {
  static let name = "mirror"

  init(settings: NoSettings, host: AgentHost) {}

  func respond(to request: RouteRequest) async throws -> RouteReply {
    switch request.parameter("form") {
    case "json": return try .json(["who": request.principal, "first": request.query("q")])
    case "text": return .text("\(request.method) \(request.path)", status: 202)
    case "html": return .html("<p>", headers: ["etag": "\"1\""])
    case "bytes": return .bytes(request.body.reversed(), contentType: "application/x-mirror")
    case "decoded": return try .json(JSONValue(request.decode([String: Int].self)["n"] ?? 0))
    case "nothing": return RouteReply(status: 204)
    default: throw ModuleError(.conflict, "There is no such form.")
    }
  }
}

private let mirrors = Module("mirrors", version: "1.0.0") { Mirror.self }

@Suite struct RouteTests {
  private func ask(_ form: String, _ members: JSONObject = [:]) async throws -> Outcome.Result {
    let route = try FakeInstance("mirror", of: mirrors, host: FakeHost())
    defer { route.destroy() }
    var request: JSONObject = [
      "method": "POST", "path": "mirror/\(form)", "parameters": ["form": .string(form)],
      "query": [:], "headers": [:],
    ]
    for (key, value) in members { request[key] = value }
    return await route.invoke(1, JSONValue.object(request).text()).result
  }

  @Test func `a route is a contribution of its own kind`() {
    #expect(contributions(of: mirrors).map { Int($0.kind) } == [AGENT_ROUTE])
  }

  @Test(arguments: [
    ("json", #"{"status":200,"json":{"who":"ada","first":"a"}}"#),
    (
      "text",
      #"{"status":202,"content_type":"text/plain; charset=utf-8","body":"POST mirror/text"}"#
    ),
    (
      "html",
      #"{"status":200,"headers":{"etag":"\"1\""},"content_type":"text/html; charset=utf-8","body":"<p>"}"#
    ),
    ("bytes", #"{"status":200,"content_type":"application/x-mirror","body_base64":"AP8="}"#),
    ("nothing", #"{"status":204}"#),
  ])
  func `a request becomes an answer`(_ form: String, _ answer: String) async throws {
    let members: JSONObject = [
      "principal": "ada", "query": ["q": ["a", "b"]], "body_base64": "/wA=",
    ]
    let result = try await ask(form, members)
    #expect(result.status == agent_status(AGENT_OK))
    #expect(try JSONValue(parsing: result.text) == JSONValue(parsing: answer))
  }

  @Test func `a body is decoded, and an invalid one is the caller's fault`() async throws {
    let good = try await ask("decoded", ["body": #"{"n":7}"#])
    #expect(try JSONValue(parsing: good.text)["json"] == 7)
    for bad in ["", "{", "[1]"] {
      let result = try await ask("decoded", ["body": .string(bad)])
      #expect(result.status == agent_status(AGENT_INVALID_ARGUMENT))
    }
    let garbled = try await ask("bytes", ["body_base64": "?"])
    #expect(garbled.status == agent_status(AGENT_INVALID_ARGUMENT))
    #expect(try await ask("other").status == agent_status(AGENT_CONFLICT))
  }
}
