import AgentJSON
import Testing

@testable import AgentWorkers

@Suite struct ModuleReplyTests {
  private func reply(_ text: String) throws -> ModuleReply {
    try ModuleReply(JSONValue(parsing: text))
  }

  private func header(_ name: String, of reply: ModuleReply) -> String? {
    reply.headers.first { $0.name == name }?.value
  }

  @Test func `a body is JSON, text or bytes with its type`() throws {
    let json = try reply(#"{"json":{"a":1}}"#)
    #expect(json.status == 200)
    #expect(json.contentType == "application/json")
    #expect(String(decoding: json.body, as: UTF8.self) == #"{"a":1}"#)
    let text = try reply(#"{"body":"é","status":201}"#)
    #expect(text.status == 201)
    #expect(text.contentType == "text/plain; charset=utf-8")
    let bytes = try reply(#"{"body_base64":"AP8=","content_type":"image/png"}"#)
    #expect(bytes.body == [0, 255])
    #expect(bytes.contentType == "image/png")
    let null = try reply(#"{"json":null}"#)
    #expect(String(decoding: null.body, as: UTF8.self) == "null")
    let nothing = try reply("{}")
    #expect(nothing.contentType == nil)
    #expect(try reply(#"{"status":304,"body":"x"}"#).body == [])
  }

  @Test func `every response keeps the browser from treating it as the agent's own`() throws {
    for answer in [#"{"json":1}"#, #"{"body":"<p>","content_type":"text/html"}"#, "{}"] {
      let reply = try reply(answer)
      #expect(header("x-content-type-options", of: reply) == "nosniff")
      let policy = header("content-security-policy", of: reply) ?? ""
      #expect(policy.hasPrefix("sandbox; default-src 'none'"))
      #expect(!policy.contains("allow-"))
    }
  }

  @Test func `headers that a module may set are kept`() throws {
    let reply = try reply(
      #"{"headers":{"ETag":"\"1\"","Cache-Control":"no-store","X-Total":"5","Location":"/a?b"}}"#)
    #expect(header("etag", of: reply) == "\"1\"")
    #expect(header("cache-control", of: reply) == "no-store")
    #expect(header("x-total", of: reply) == "5")
    #expect(header("location", of: reply) == "/a?b")
  }

  @Test(arguments: [
    "Set-Cookie", "set-cookie2", "Content-Security-Policy", "Access-Control-Allow-Origin",
    "Transfer-Encoding", "Connection", "Content-Length", "Content-Type", "WWW-Authenticate",
    "Strict-Transport-Security", "X-Frame-Options", "X-Content-Type-Options", "Clear-Site-Data",
    "Service-Worker-Allowed", "Refresh", "X-Request-Id", "x-a b", "", "X-Accel-Redirect",
    "X-Sendfile", "X-Lighttpd-Send-File", "X-Accel-Buffering", "X-LiteSpeed-Location",
  ])
  func `headers that a module may not set are refused`(_ name: String) throws {
    let answer: JSONValue = ["headers": .object([name: "x"])]
    let wrong = #expect(throws: ModuleReply.Wrong.self) { try ModuleReply(answer) }
    #expect(wrong?.message.contains("may not") == true)
  }

  @Test(arguments: [
    "1", "[]", #"{"states":200}"#, #"{"status":101}"#, #"{"status":600}"#, #"{"status":"200"}"#,
    #"{"headers":[]}"#, #"{"headers":{"etag":1}}"#, #"{"headers":{"x-a":"b\r\nset-cookie: c=d"}}"#,
    #"{"headers":{"location":"//elsewhere"}}"#, #"{"headers":{"location":"javascript:x"}}"#,
    #"{"headers":{"location":"/\\elsewhere"}}"#, #"{"body":1}"#, #"{"body_base64":"?"}"#,
    #"{"body":"a","json":1}"#, #"{"body":"a","content_type":"nonsense"}"#,
    #"{"body":"a","content_type":"a/b\r\nx: y"}"#,
  ])
  func `a reply that can't be sent is refused with a sentence`(_ answer: String) {
    let wrong = #expect(throws: ModuleReply.Wrong.self) { try reply(answer) }
    #expect(wrong?.message.hasSuffix(".") == true)
  }

  @Test func `a body has a limit`() {
    let answer: JSONValue = ["body": .string(String(repeating: "x", count: (8 << 20) + 1))]
    #expect(throws: ModuleReply.Wrong.self) { try ModuleReply(answer) }
  }

  // MARK: Requests

  @Test func `a module gets the safe parts of a request`() {
    let request = ModuleRequest(
      method: "HEAD", path: "summary/today", query: [("a", "1"), ("b", ""), ("a", "2")],
      headers: [
        ("Authorization", "Bearer secret"), ("Cookie", "secret"), ("Accept", "a/b"),
        ("accept", "c/d"), ("X-Api-Key", "secret"), ("X-Auth-Token", "secret"),
        ("X-Forwarded-For", "10.1.1.1"), ("X-CSRF", "secret"), ("Proxy-Authorization", "secret"),
        ("X-Goog-IAP-JWT-Assertion", "secret"), ("X-Amzn-Oidc-Data", "secret"),
        ("X-Client-IP", "10.1.1.1"), ("X-Remote-User", "root"),
        ("X-Signature", "abc"), ("Host", "agent"), ("Connection", "close"),
        ("Sec-Fetch-Site", "same-origin"), ("Idempotency-Key", "1"), ("Content-Type", "x/y"),
      ], principal: "grafana", body: [0xFF, 0])
    let json = request.json(parameters: ["day": "today"])
    #expect(
      json == [
        "method": "GET", "path": "summary/today", "parameters": ["day": "today"],
        "query": ["a": ["1", "2"], "b": [""]],
        "headers": ["accept": "a/b, c/d", "content-type": "x/y", "x-signature": "abc"],
        "principal": "grafana", "body_base64": "/wA=",
      ])
    #expect(!json.text().contains("secret"))
    let text = ModuleRequest(method: "POST", path: "", principal: "a", body: Array("é".utf8))
    #expect(text.json(parameters: [:])["body"] == "é")
  }

  @Test func `headers beyond the limit don't reach the module`() {
    let many = (0..<1000).map { ("x-\($0)", String(repeating: "y", count: 1000)) }
    let request = ModuleRequest(method: "GET", path: "", headers: many, principal: "a")
    let headers = request.json(parameters: [:])["headers"]?.object
    #expect((1...64).contains(headers?.count ?? 0))
  }
}
