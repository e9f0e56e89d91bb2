import AgentHost
import AgentSettings
import AgentWorkers
import HTTPTypes
import Hummingbird
import NIOHTTP1
import Testing

@testable import AgentWeb

struct RequestTargetTests {
  private func request(
    _ path: String, host: String? = "localhost", more: [String] = []
  ) throws -> Request {
    var head = HTTPRequest(method: .get, scheme: nil, authority: host, path: path)
    let name = try #require(HTTPField.Name("Host"))
    for value in more { head.headerFields.append(HTTPField(name: name, value: value)) }
    return Request(head: head, body: .init(buffer: .init()))
  }

  @Test(arguments: [
    ("localhost", "localhost", Int?.none), ("LocalHost:8700", "localhost", 8700),
    ("[::1]:1", "::1", 1), ("[fe80::1%25eth0]", "fe80::1%25eth0", nil),
    ("a_b.c-d~", "a_b.c-d~", nil),
    ("a:", "a", nil),
  ])
  func `an authority has a name and a port`(_ text: String, _ host: String, _ port: Int?) throws {
    let authority = try #require(Authority(parsing: text))
    #expect(authority.host == host && authority.port == port)
  }

  @Test(arguments: [
    "", ":1", "localhost:1@evil", "a@b", "a/b", "a b", "[::1", "[]", "[::1]x", "a:+1", "a:65536",
    "a:1:2", "é", "a%2fb", "a?b",
  ])
  func `a text that isn't a name and a port is no authority`(_ text: String) {
    #expect(Authority(parsing: text) == nil)
  }

  @Test func `a request names its host exactly once`() throws {
    #expect(try RequestTarget.authority(of: request("/")) == "localhost")
    #expect(try RequestTarget.authority(of: request("/", host: nil)) == nil)
    #expect(throws: HostError.self) {
      try RequestTarget.authority(of: request("/", more: ["evil.example"]))
    }
    #expect(throws: HostError.self) {
      try RequestTarget.authority(of: request("/", host: "localhost:1@evil.example"))
    }
  }

  @Test(arguments: [
    ("/a", ["localhost"], 1), ("http://LOCALHOST:1/a", ["localhost:1"], 1),
    ("http://evil.example/a", ["localhost:1"], 2), ("http://localhost:2", ["localhost:1"], 2),
    ("http://a@localhost:1/", ["localhost:1"], 2), ("x://", ["localhost"], 2),
    ("http://localhost/a", [], 2), ("https://localhost?a", ["localhost"], 1),
    ("http://a/b", ["a", "b"], 2),
  ])
  func `a different name in the address is refused as a second one`(
    _ uri: String, _ hosts: [String], _ count: Int
  ) {
    let headers = HTTPHeaders(hosts.map { ("Host", $0) })
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: headers)
    #expect((AbsoluteForm.checked(head) ?? head).headers[canonicalForm: "host"].count == count)
  }

  @Test(arguments: ["/a%2fb?c=%C3%A9&d=+", "/", "/a?b"])
  func `a well-encoded address is accepted`(_ path: String) throws {
    try RequestTarget.checkEncoding(of: request(path))
  }

  @Test(arguments: [
    "/%", "/%4", "/%+A", "/%zz", "/a?b=%", "/%ff", "/%00", "/a?b=%00", "/%c0%af",
    "/a?c=1&b=%2&d=%41",
  ])
  func `a badly encoded address is refused`(_ path: String) throws {
    let request = try request(path)
    let error = #expect(throws: HostError.self) { try RequestTarget.checkEncoding(of: request) }
    let place = path.hasPrefix("/a?") ? "The parameter \"b\" of the" : "The path of the"
    #expect(error?.message.hasPrefix(place) == true, "\(error?.message ?? "")")
  }

  private func proxied(_ values: [String], from peer: String, _ proxies: [String]) throws -> String
  {
    let name = try #require(HTTPField.Name("X-Forwarded-For"))
    var headers = HTTPFields()
    for value in values { headers.append(HTTPField(name: name, value: value)) }
    return ClientAddress.of(
      headers, from: peer, trusting: proxies.compactMap(NetworkPrefix.init(parsing:)))
  }

  @Test func `a trusted proxy alone may name its client`() throws {
    #expect(try proxied(["9.9.9.9"], from: "127.0.0.1", []) == "127.0.0.1")
    #expect(try proxied(["9.9.9.9"], from: "8.8.8.8", ["127.0.0.1"]) == "8.8.8.8")
    #expect(try proxied(["9.9.9.9"], from: "127.0.0.1", ["127.0.0.1"]) == "9.9.9.9")
    #expect(try proxied([], from: "127.0.0.1", ["127.0.0.1"]) == "127.0.0.1")
    #expect(try proxied(["9.9.9.9"], from: "::ffff:127.0.0.1", ["127.0.0.0/8"]) == "9.9.9.9")
  }

  @Test func `an address that a client wrote before its proxy's isn't believed`() throws {
    let proxies = ["127.0.0.1", "10.0.0.0/8"]
    #expect(try proxied(["1.1.1.1, 9.9.9.9"], from: "127.0.0.1", proxies) == "9.9.9.9")
    #expect(try proxied(["1.1.1.1", "9.9.9.9 ,10.1.1.1"], from: "127.0.0.1", proxies) == "9.9.9.9")
    #expect(try proxied(["1.1.1.1, junk"], from: "127.0.0.1", proxies) == "127.0.0.1")
    #expect(try proxied(["junk, 10.1.1.1"], from: "127.0.0.1", proxies) == "10.1.1.1")
  }

  @Test func `a single client can't take all connections`() {
    let shares = ConnectionShares(
      most: 2, exempt: [NetworkPrefix(parsing: "127.0.0.1")].compactMap(\.self))
    #expect(shares.take("9.9.9.9") && shares.take("9.9.9.9") && !shares.take("9.9.9.9"))
    #expect(shares.take("8.8.8.8"))
    shares.release("9.9.9.9")
    #expect(shares.take("9.9.9.9"))
    #expect(shares.take("2001:db8::1") && shares.take("2001:db8::2") && !shares.take("2001:db8::3"))
    #expect(shares.take("2001:db8:0:1::1"))
    for _ in 0..<9 { #expect(shares.take("127.0.0.1")) }
  }
}
