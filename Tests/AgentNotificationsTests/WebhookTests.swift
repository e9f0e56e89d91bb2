import AgentJSON
import Testing

@testable import AgentNotifications

/// What a webhook signs, where it may go.
@Suite struct WebhookTests {
  /// The example of the Standard Webhooks libraries' tests.
  @Test func `the signature is that of Standard Webhooks`() {
    let signature = WebhookSignature(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    let header = signature.header(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330,
      body: Array(#"{"test": 2432232314}"#.utf8))
    #expect(header == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  /// Computed with Python's hmac module.
  @Test func `a secret of any other form is used as the key`() {
    let header = WebhookSignature(secret: "it's secret").header(
      id: "ntc_1", timestamp: 7, body: Array("{}".utf8))
    #expect(header == "v1,lbAmDFqKkm+JUkAMkyadnPeANRs+PyLS3mwgJZ1RN0g=")
  }

  @Test(arguments: [
    "10.0.0.1", "127.0.0.1", "127.9.9.9", "0.0.0.0", "100.64.0.1", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.168.1.1", "192.0.0.1", "198.18.0.1", "198.19.255.255",
    "192.0.2.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "255.255.255.255", "::1", "::",
    "fe80::1", "fc00::1", "fd12::1", "ff02::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1",
    "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1", "2001::1", "3fff::1", "::127.0.0.1",
  ])
  func `special-purpose addresses aren't public`(_ text: String) throws {
    #expect(try #require(NetworkAddress(text)).isPublic == false)
  }

  @Test(arguments: [
    "1.1.1.1", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1", "198.17.0.1",
    "198.20.0.1", "223.255.255.255", "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8",
    "64:ff9b::808:808",
  ])
  func `all other addresses are public`(_ text: String) throws {
    #expect(try #require(NetworkAddress(text)).isPublic)
  }

  @Test(
    arguments: [
      ("https://example.org", "https://example.org/", nil),
      ("HTTP://Example.ORG:8080/a?b=c#d", "http://example.org:8080/a?b=c", 8080),
      ("https://[2001:DB8::1]:44/x", "https://[2001:db8::1]:44/x", 44),
      ("http://h?x", "http://h/?x", nil),
    ] as [(String, String, Int?)])
  func `valid addresses are read`(_ text: String, expected: String, port: Int?) throws {
    let address = try WebhookAddress(parsing: text)
    #expect(address.description == expected && address.port == port)
  }

  @Test(arguments: [
    "", "example.org", "ftp://example.org/", "https://", "https://a b/", "https://a:0/",
    "https://a:99999/", "https://a:1x/", "https://user:pw@example.org/", "https://bücher.example/",
    "https://[::1/", "https://a\\b/", "https://%6c/", "https://a/\r\nX: y", "https://[zz]/",
  ])
  func `a text that is no address is refused without another attempt`(_ text: String) {
    #expect {
      _ = try WebhookAddress(parsing: text)
    } throws: { ($0 as? DeliveryFailure)?.isFinal == true }
  }

  @Test(
    arguments: [
      ("/b", "https://a.example/b"), ("c", "https://a.example/x/c"),
      ("//b.example/y", "https://b.example/y"), ("http://b.example/", "http://b.example/"),
      ("?q", "https://a.example/x/?q"), ("a b", nil), ("gopher://x/", nil),
    ] as [(String, String?)])
  func `redirects lead to their target`(_ location: String, expected: String?) throws {
    let address = try WebhookAddress(parsing: "https://a.example/x/y?z=/q")
    #expect(address.redirected(to: location)?.description == expected)
  }

  @Test(
    arguments: [
      (["127.0.0.1"], "localhost has no public address"),
      (["10.1.2.3", "fd00::1"], "no public address"),
      ([], "no public address"),
    ] as [([String], String)])
  func `a name with private addresses only isn't called`(
    _ addresses: [String], message: String
  ) async {
    let webhook = WebhookNotifier(
      .init(url: "http://localhost:1/"), lookUp: { _ in addresses }, now: { 0 })
    await #expect {
      try await webhook.deliver(Notice(["id": "n"]))
    } throws: { ($0 as? DeliveryFailure)?.message.contains(message) == true }
  }

  @Test(
    arguments: [
      (1, nil, 0, 2_500), (1, nil, 1, 5_000), (2, nil, 1, 10_000), (3, nil, 0.5, 15_000),
      (9, nil, 1, 60_000), (1, 30_000, 0, 30_000), (1, 9_000_000, 0, 60_000), (10, nil, 1, nil),
    ] as [(Int64, Int64?, Double, Int64?)])
  func `a wait doubles, is jittered and bounded, and respects the receiver's`(
    _ made: Int64, retryAfter: Int64?, randomFraction: Double, expected: Int64?
  ) {
    struct Nobody: Notifier { func deliver(_ notice: Notice) async throws {} }
    var entry = NotifierEntry(type: "t", notifier: Nobody())
    entry.maxBackoff = 60_000
    let failure = DeliveryFailure("f", retryAfter: retryAfter)
    #expect(
      RetryPolicy(entry).wait(after: made, failure, randomFraction: randomFraction) == expected)
    let final = DeliveryFailure("f", isFinal: true)
    #expect(RetryPolicy(entry).wait(after: made, final, randomFraction: randomFraction) == nil)
  }
}
