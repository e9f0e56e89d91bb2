import AgentJSON
import AgentAccess
import AgentWorkers
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import AgentWeb

/// The checks of the query string and of the parts of a path.
@Suite struct APIParameterTests {
  private static let limit = APIParameter.query("limit", .integer(1...1000), summary: "")
  private static let dryRun = APIParameter.query("dry_run", .flag, summary: "")
  private static let order = APIParameter.query("order", .choice(["up", "down"]), summary: "")

  private func route(
    _ parameters: [APIParameter], options: APIRoute.Options = []
  ) -> APIRoute {
    APIRoute(
      .get, "things/{id}", operation: "do", summary: "", tag: .agent, for: nil,
      parameters: parameters, replies: [], options: options
    ) { _ in Response(.null) }
  }

  private func read(_ query: String, for route: APIRoute) throws -> QueryString {
    let head = HTTPRequest(
      method: .get, scheme: "http", authority: "localhost", path: "/api/v1/things/7\(query)")
    return try RequestReader().query(
      Request(head: head, body: RequestBody(buffer: ByteBuffer())), for: route)
  }

  private func refusal(_ query: String, _ parameters: [APIParameter]) -> String? {
    let error = #expect(throws: HostError.self, "\(query)") {
      try read(query, for: route(parameters))
    }
    return error?.message
  }

  @Test func `an unknown parameter is refused, and the known ones are named`() {
    let known = [Self.limit, Self.dryRun, .path("id", "")]
    #expect(
      refusal("?limits=1", known)
        == "There is no parameter \"limits\" here. There are limit, dry_run.")
    #expect(refusal("?Limit=1", known)?.contains("\"Limit\"") == true)
    // A part of the path isn't one of the query string.
    #expect(refusal("?id=7", known)?.contains("\"id\"") == true)
    #expect(refusal("?limit=1", []) == "There is no parameter \"limit\" here. It takes none.")
  }

  @Test(arguments: ["?limit=1&limit=2", "?limit=1&lim%69t=1", "?dry_run&limit=1&dry_run"])
  func `a parameter that is there twice is refused`(_ query: String) {
    #expect(refusal(query, [Self.limit, Self.dryRun])?.contains("more than once") == true)
  }

  @Test(arguments: ["?limit=1", "?limit=1000", "?dry_run&limit=7", "?&limit=5&", "?", ""])
  func `a number between its bounds is accepted`(_ query: String) throws {
    _ = try read(query, for: route([Self.limit, Self.dryRun]))
  }

  @Test(arguments: ["0", "1001", "-1", "", "x", "1.5", "1e2", "9223372036854775808", "1%20"])
  func `a number outside of its bounds is refused with them`(_ text: String) {
    #expect(
      refusal("?limit=\(text)", [Self.limit])?
        .hasPrefix("limit is a whole number, at least 1 and at most 1000; found \"") == true)
  }

  @Test func `a bound that nobody reaches isn't named`() {
    let after = APIParameter.query("after", .integer(0...Int.max), summary: "")
    #expect(
      refusal("?after=-1", [after]) == "after is a whole number, at least 0; found \"-1\".")
  }

  @Test(arguments: [
    ("?dry_run", true), ("?dry_run=", true), ("?dry_run=true", true), ("?dry_run=1", true),
    ("?dry_run=false", false), ("?dry_run=0", false), ("", false),
  ])
  func `a switch is on unless it is missing or says false`(query: String, isOn: Bool) throws {
    let call = APICall(
      request: Request(
        head: HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/"),
        body: RequestBody(buffer: ByteBuffer())),
      principal: Principal(kind: .program, name: "shop", scopes: [Scope]()), address: "unix",
      id: "1", client: nil, tokenEnd: nil, account: nil, values: [:],
      query: try read(query, for: route([Self.dryRun])), bytes: [], document: nil)
    #expect(call.flag("dry_run") == isOn)
  }

  @Test(arguments: ["?dry_run=yes", "?dry_run=TRUE", "?dry_run=2", "?order=sideways", "?order="])
  func `a text that isn't one of the choices is refused`(_ query: String) {
    #expect(refusal(query, [Self.dryRun, Self.order])?.contains("found \"") == true)
  }

  @Test func `a route that no document lists checks its query string itself`() throws {
    let query = try read("?a=1&a=2", for: route([], options: .undocumented))
    #expect(query.pairs.map { $0.value } == ["1", "2"])
  }

  @Test(arguments: ["0", "-1", "x", "", "9007199254740993"])
  func `a part of the path that should be a number is checked`(_ text: String) throws {
    let route = route([.number("id", "")])
    #expect(throws: HostError.self) { try RequestReader().path(["id": text], for: route) }
    try RequestReader().path(["id": "9007199254740992"], for: route)
  }
}
