import Testing

@testable import AgentWeb

@Suite struct CertificateNamesTests {
  @Test(arguments: [
    ("agent.example", true), ("AGENT.example", true), ("a.wild.example", true),
    ("wild.example", false), ("a.b.wild.example", false), (".wild.example", false),
    ("other.example", false), ("127.0.0.1", true), ("127.0.0.2", false), ("::1", true),
    ("agent.example.", false), ("", false),
  ])
  func `a certificate is valid for its names, its wildcard and its addresses`(
    host: String, isIncluded: Bool
  ) {
    let names = CertificateNames(
      names: ["agent.example", "*.wild.example"],
      addresses: [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]])
    #expect(names.include(host) == isIncluded)
  }

  @Test(arguments: [
    ("https://agent.example/x", "agent.example"), ("https://agent.example:8700", "agent.example"),
    ("https://[::1]:8700/", "::1"), ("https://u:p@h?x", "h"), ("agent.example", nil),
    ("https://", nil), ("https://[", nil),
  ])
  func `an address's host is found`(url: String, host: String?) {
    #expect(CertificateNames.host(of: url) == host)
  }

  @Test func `addresses are written in the usual form`() {
    let names = CertificateNames(names: ["a.example"], addresses: [[10, 0, 0, 1], [1, 2]])
    #expect(names.texts == ["a.example", "10.0.0.1", "?"])
  }
}
