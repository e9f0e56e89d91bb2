import AgentAccess
import AgentHost
import AgentJSON
import AgentSettings
import AgentWorkers
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import AgentWeb

/// Which answer a request gets by its path, its method and its token.
@Suite(.timeLimit(.minutes(5))) struct RouteAnswerTests {
  private func things(_ settings: HTTPSettings = HTTPSettings()) async throws -> PipelineFixture {
    try await PipelineFixture(
      [
        PipelineFixture.route(.get, "things/{id}") { Response(.string($0.path("id"))) },
        PipelineFixture.route(.delete, "things/{id}", for: .operate),
        PipelineFixture.route(.post, "things", for: .operate, body: .json(.anyObject)),
        PipelineFixture.route(.get, "open", for: nil),
        PipelineFixture.route(.get, "work", options: .forBots),
      ], settings: settings)
  }

  @Test func `an unknown path is 404 with a token, and 401 without one`() async throws {
    let fixture = try await things()
    let token = try await fixture.token()
    for path in ["/api/v1/nothing", "/api/v1/things/", "/api/v1/things/7/8", "/nothing"] {
      let answer = try await fixture.send(.get, path, fields: token)
      #expect(answer.status == 404 && answer.code == "not_found", "\(path)")
      #expect(answer.detail.contains(path))
      let unknown = try await fixture.send(.get, path)
      #expect(unknown.status == 401 && unknown.code == "unauthenticated", "\(path)")
      #expect(unknown["WWW-Authenticate"] == "Bearer realm=\"bulkhead\"")
    }
    await fixture.close()
  }

  @Test(arguments: [HTTPRequest.Method.put, .post, .patch, .options, .trace])
  func `an unknown method is 405, and Allow names the methods of the path`(
    _ method: HTTPRequest.Method
  ) async throws {
    let fixture = try await things()
    let answer = try await fixture.send(
      method, "/api/v1/things/7", fields: try await fixture.token())
    #expect(answer.status == 405 && answer.code == "method_not_allowed")
    #expect(answer["Allow"] == "GET, DELETE")
    #expect(answer.detail.contains("no \(method.rawValue); there is GET, DELETE"))
    await fixture.close()
  }

  @Test func `HEAD gets what GET gets, without the body`() async throws {
    let fixture = try await things()
    let token = try await fixture.token()
    for path in ["/api/v1/things/7", "/api/v1/things/7?x=1"] {
      let whole = try await fixture.send(.get, path, fields: token)
      let head = try await fixture.send(.head, path, fields: token)
      #expect(head.status == whole.status && head.bytes.isEmpty && !whole.bytes.isEmpty, "\(path)")
      #expect(head["Content-Type"] == whole["Content-Type"])
    }
    let head = try await fixture.send(.head, "/api/v1/things/7", fields: token)
    #expect(head["Content-Length"] == "3")
    #expect(try await fixture.send(.head, "/api/v1/things", fields: token).status == 405)
    await fixture.close()
  }

  @Test func `a part of a path reaches its route decoded`() async throws {
    let fixture = try await things()
    let answer = try await fixture.send(
      .get, "/api/v1/things/a%2Fb%20c+d", fields: try await fixture.token())
    #expect(answer.text == #""a/b c+d""#)
    await fixture.close()
  }

  @Test(arguments: ["/api/v1/things/%ff", "/api/v1/things/%0", "/api/v1/things/7?x=%00"])
  func `a badly encoded address is refused`(_ path: String) async throws {
    let fixture = try await things()
    let answer = try await fixture.send(.get, path, fields: try await fixture.token())
    #expect(answer.status == 400 && answer.code == "invalid")
    await fixture.close()
  }

  @Test func `a token without the scope is refused before the body is read`() async throws {
    let fixture = try await things()
    var fields = try await fixture.token(["execute"])
    fields[.contentType] = "application/json"
    let unread = AsyncStream<ByteBuffer>(unfolding: {
      Issue.record("The body was read.")
      return nil
    })
    let answer = try await fixture.send(
      .post, "/api/v1/things", fields: fields, body: RequestBody(asyncSequence: unread))
    #expect(answer.status == 403 && answer.code == "forbidden")
    #expect(answer.detail.contains("the scope \"operate\""))
    await fixture.close()
  }

  @Test func `a change that is refused is a line of the audit log`() async throws {
    let fixture = try await things()
    let token = try await fixture.token()
    #expect(try await fixture.send(.delete, "/api/v1/things/7", fields: token).status == 403)
    #expect(try await fixture.send(.get, "/api/v1/things/7", fields: token).status == 200)
    let lines = try await fixture.host.access.audit()["entries"]?.array ?? []
    #expect(lines.count == 1)
    #expect(lines.first?["action"]?.string == "do" && lines.first?["target"]?.string == "7")
    #expect(lines.first?["outcome"]?.string == "forbidden")
    #expect(lines.first?["actor"]?.string == "program:shop")
    #expect(lines.first?["address"]?.string == "192.0.2.1")
    await fixture.close()
  }

  @Test func `a bot's token is valid for the routes of bots only`() async throws {
    let fixture = try await things()
    let token = try await fixture.token(["administer"], bot: "printer")
    let refused = try await fixture.send(.get, "/api/v1/things/7", fields: token)
    #expect(refused.status == 403 && refused.detail.contains("belongs to printer"))
    #expect(try await fixture.send(.get, "/api/v1/work", fields: token).status == 200)
    #expect(try await fixture.send(.get, "/api/v1/open", fields: token).status == 200)
    await fixture.close()
  }

  @Test func `a route without a scope needs no token, but refuses a wrong one`() async throws {
    let fixture = try await things()
    #expect(try await fixture.send(.get, "/api/v1/open").status == 200)
    for wrong in ["Bearer x", "Bearer", "Basic YTpi", ""] {
      let answer = try await fixture.send(
        .get, "/api/v1/open", fields: [.authorization: wrong])
      #expect(answer.status == 401, "\(wrong)")
    }
    await fixture.close()
  }

  @Test func `programs of this machine need no token if the settings say so`() async throws {
    var settings = HTTPSettings()
    settings.allowsLocalWithoutToken = true
    let fixture = try await things(settings)
    #expect(try await fixture.send(.delete, "/api/v1/things/7").status == 200)
    let wrong = try await fixture.send(
      .delete, "/api/v1/things/7", fields: [.authorization: "Bearer x"])
    #expect(wrong.status == 401)
    await fixture.close()
  }
}
