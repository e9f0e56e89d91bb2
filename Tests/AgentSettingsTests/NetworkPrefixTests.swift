import AgentSettings
import Testing

@Suite struct NetworkPrefixTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1"), ("10.1.2.3/8", "10.0.0.0/8"), ("10.1.2.3/13", "10.0.0.0/13"),
    ("0.0.0.0/0", "0.0.0.0/0"), ("::1", "::1"), ("2001:db8:ffff::/33", "2001:db8:8000::/33"),
    ("::ffff:10.0.0.1", "10.0.0.1"),
  ])
  func `a range is an address and a length`(_ text: String, _ written: String) throws {
    #expect(try #require(NetworkPrefix(parsing: text)).description == written)
  }

  @Test(arguments: [
    "", "localhost", "10.0.0.1/", "10.0.0.1/33", "::1/129", "::1/-1", "10.0.0.1/+8", "1.2.3", "/8",
  ])
  func `any other text is refused as a range`(_ text: String) {
    #expect(NetworkPrefix(parsing: text) == nil)
  }

  @Test func `an address is within a range of its own family or not`() throws {
    let ten = try #require(NetworkPrefix(parsing: "10.0.0.0/8"))
    #expect(ten.contains("10.255.0.1") && ten.contains("::ffff:10.0.0.9"))
    #expect(!ten.contains("11.0.0.0") && !ten.contains("::a00:1") && !ten.contains("unix"))
    let all = try #require(NetworkPrefix(parsing: "::/0"))
    #expect(all.contains("::1") && all.contains("fe80::1%eth0") && !all.contains("1.2.3.4"))
  }

  @Test func `a client is an IPv4 address or an IPv6 prefix of 64 bits`() {
    #expect(NetworkPrefix.client(at: "10.0.0.1") == "10.0.0.1")
    #expect(NetworkPrefix.client(at: "2001:db8::1") == NetworkPrefix.client(at: "2001:db8::ffff:2"))
    #expect(NetworkPrefix.client(at: "2001:db8::1") != NetworkPrefix.client(at: "2001:db8:0:1::1"))
    #expect(NetworkPrefix.client(at: "::ffff:10.0.0.1") == "10.0.0.1")
    #expect(NetworkPrefix.client(at: "unix") == "unix")
  }
}
