import Testing

@testable import AgentWeb

struct RequestOfBrowserTests {
  @Test(arguments: [
    ("POST / HTTP/1.1\r", true), ("get http://a/b HTTP/1.0", true), ("PRI * HTTP/2.0", true),
    ("{\"type\": \"a\"} HTTP/1.1", false), ("hello", false), ("not an event HTTP", false),
    ("", false),
  ])
  func `a first line of HTTP is recognized`(_ line: String, isRequest: Bool) {
    #expect(RequestOfBrowser.hasSent(line.utf8, isFirst: true) == isRequest)
  }

  @Test(arguments: [
    ("Host: 127.0.0.1:17042\r", true), ("ORIGIN: https://evil.example", true),
    ("content-length: 5", true), ("POST / HTTP/1.1", false), ("{\"host:\": 1}", false),
    ("host", false),
  ])
  func `a browser's header fields are recognized wherever they stand`(
    _ line: String, isRequest: Bool
  ) {
    #expect(RequestOfBrowser.hasSent(line.utf8, isFirst: false) == isRequest)
  }
}
