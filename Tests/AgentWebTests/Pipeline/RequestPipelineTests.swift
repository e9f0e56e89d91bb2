import AgentJSON
import AgentNotifications
import AgentSettings
import HTTPTypes
import Hummingbird
import NIOSSL
import Testing

@testable import AgentWeb

struct RequestPipelineTests {
  private func names(_ change: (inout HTTPSettings) -> Void = { _ in }) -> HostNames {
    var settings = HTTPSettings()
    change(&settings)
    return HostNames(settings)
  }

  @Test(arguments: [
    ("localhost:8700", true), ("LOCALHOST", true), ("127.0.0.1:8700", true), ("[::1]:8700", true),
    ("agent.example.org", true), ("agent.local:1", true), ("evil.example", false),
    ("127.0.0.1.evil.example", false), ("", false), ("10.0.0.1", false), ("[::1", false),
  ])
  func `only the agent's own names are accepted as hosts`(_ host: String, isOwn: Bool) {
    let names = names {
      $0.baseURL = "https://agent.example.org/x"
      $0.allowedHosts = ["Agent.local"]
    }
    #expect(names.allows(host: host) == isOwn)
    #expect(!names.allows(host: nil))
  }

  @Test func `a port on all addresses accepts any address, but no other name`() {
    let names = names { $0.listen = ListenAddress(host: "0.0.0.0", port: 443) }
    #expect(names.allows(host: "10.1.2.3:443"))
    #expect(!names.allows(host: "rebound.example:443"))
  }

  @Test(arguments: [
    ("http://127.0.0.1:8700", true), ("https://board.example", true), ("null", false),
    ("http://127.0.0.1:9999", false), ("https://board.example.evil.example", false),
  ])
  func `pages of other origins are refused unless the settings name them`(
    _ origin: String, may: Bool
  ) {
    let names = names { $0.corsOrigins = ["https://board.example"] }
    #expect(names.allows(origin: origin, host: "127.0.0.1:8700") == may)
  }

  @Test func `a bucket empties, refills and belongs to one client`() {
    let limiter = RateLimiter(rate: 10, burst: 2)
    #expect(limiter.wait("ada", now: 1000) == nil)
    #expect(limiter.wait("ada", now: 1000) == nil)
    #expect(limiter.wait("ada", now: 1000) == 100)
    #expect(limiter.wait("bob", now: 1000) == nil)
    #expect(limiter.wait("ada", now: 1100) == nil)
    #expect(limiter.wait("ada", now: 1100) == 100)
  }

  @Test(arguments: [
    ("gzip", true), ("br, GZIP;q=0.5", true), ("*", true), ("gzip;q=0", false), ("br", false),
    ("gzip; q=0.0", false), ("", false), ("*;q=0, gzip", true), ("*, gzip;q=0", false),
    ("*;q=0", false), ("br, *;q=0.1", true),
  ])
  func `gzip is used for clients that accept it`(_ header: String, takes: Bool) {
    #expect(Compression.accepts(header) == takes)
  }

  @Test func `a plain request id of the client is kept`() {
    let ids = RequestIDs(startedAt: 35, listenerKind: "-s")
    #expect(ids.id(asked: "a-B_9.~") == "a-B_9.~")
    #expect(ids.id(asked: "a b") == "z-s1")
    #expect(ids.id(asked: "") == "z-s2")
    #expect(ids.id(asked: String(repeating: "a", count: 129)) == "z-s3")
  }

  private func route(_ method: HTTPRequest.Method, _ path: String, operation: String) -> APIRoute {
    APIRoute(method, path, operation: operation, summary: "", tag: .agent, for: nil, replies: []) {
      _ in Response(.null)
    }
  }

  @Test func `a route is found by path, the literal before the named`() throws {
    let table = RouteTable([
      route(.get, "things/{id}", operation: "get"),
      route(.delete, "things/{id}", operation: "delete"),
      route(.get, "things/all", operation: "all"), route(.get, "/", operation: "root"),
      route(.get, "/modules/{name}/{rest...}", operation: "served"),
    ])
    func find(_ path: String, _ method: HTTPRequest.Method = .get) -> String? {
      table.match(path)?.route(method)?.operation
    }
    #expect(find("/api/v1/things/7") == "get" && find("/api/v1/things/7", .delete) == "delete")
    #expect(find("/api/v1/things/all") == "all" && find("/api/v1/things/all", .head) == "all")
    #expect(find("/") == "root")
    #expect(find("/modules/a/b/c%2Fd") == "served")
    for path in ["", "/api/v1/things", "/api/v1/things/", "/api/v1/things/7/8", "/api", "//"] {
      #expect(find(path) == nil, "\(path)")
    }
    let match = try #require(table.match("/api/v1/things/a%2Fb"))
    #expect(match.route(.put) == nil)
    #expect(match.named(by: try #require(match.route(.get))) == ["id": "a/b"])
    let served = try #require(table.match("/modules/a/b/c%2Fd"))
    #expect(served.named(by: served.routes[0]) == ["name": "a", "rest": "b/c%2Fd"])
  }

  @Test func `a query string is decoded as browsers encode it`() {
    let query = QueryString("a=1&b=x+y%20z&c&a=2")
    #expect(query["a"] == "1" && query["b"] == "x y z" && query["c"] == "" && query["d"] == nil)
    #expect(query.pairs.count == 4)
  }

  @Test func `a cacheable response varies by Accept-Encoding beside the module's own fields`()
    async throws
  {
    func packed(_ size: Int, vary: [String], accepting: String?) async throws -> Response {
      var response = Response(bytes: [UInt8](repeating: 65, count: size), as: "text/plain")
      response.headers[.cacheControl] = "max-age=60"
      response.headers[values: .vary] = vary
      try await Compression.apply(&response, accepting: accepting)
      return response
    }
    let small = try await packed(10, vary: ["x-a", "x-b"], accepting: nil)
    #expect(small.headers[values: .vary] == ["x-a", "x-b", "accept-encoding"])
    let large = try await packed(9000, vary: ["x-a"], accepting: "gzip")
    #expect(large.headers[.contentEncoding] == "gzip")
    #expect(large.headers[values: .vary] == ["x-a", "accept-encoding"])
    let said = try await packed(9000, vary: ["Accept-Encoding"], accepting: "gzip")
    #expect(said.headers[values: .vary] == ["Accept-Encoding"])
  }

  @Test func `a response lists a limited number of problems`() throws {
    var problem = APIProblem(.badRequest, code: "invalid", message: "wrong")
    problem.problems = (0..<5000).map { ["message": .string("\($0)")] }
    #expect(problem.response(id: "x").body.contentLength ?? .max < 10_000)
  }

  @Test func `TLS permits 1.2 and later with authenticated encryption`() {
    let client = TLSRules.client
    #expect(client.minimumTLSVersion == .tlsv12)
    #expect(client.cipherSuiteValues == TLSRules.suites)
    #expect(!TLSRules.suites.contains(.TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA))
  }
}
