import AgentSettings
import Synchronization
import Testing

@testable import AgentWeb

/// How many connections a client may have.
@Suite struct ConnectionShareTests {
  @Test func `a client has its share and gets it back when a connection ends`() {
    let shares = ConnectionShares(most: 2, exempt: [])
    #expect(shares.take("192.0.2.1") && shares.take("192.0.2.1"))
    #expect(!shares.take("192.0.2.1"))
    #expect(shares.take("192.0.2.2"))
    shares.release("192.0.2.1")
    #expect(shares.take("192.0.2.1"))
    #expect(!shares.take("192.0.2.1"))
  }

  @Test func `a refused connection is logged with the limit that it has reached`() {
    final class Lines: Sendable { let all = Mutex<[String]>([]) }
    let lines = Lines()
    let shares = ConnectionShares(
      most: 1, remote: 2, exempt: [],
      closed: EndedConnections(log: { line in lines.all.withLock { $0.append(line) } }))
    for address in ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.3"] { _ = shares.take(address) }
    #expect(
      lines.all.withLock(\.self) == [
        "The connection of 192.0.2.1 was closed: its address is at its limit of 1, from "
          + "http.limits.connections_per_address.",
        "The connection of 192.0.2.3 was closed: other machines are at their limit of 2, from "
          + "http.limits.connections.",
      ])
  }

  @Test func `addresses of one IPv6 network are one client`() {
    let shares = ConnectionShares(most: 1, exempt: [])
    #expect(shares.take("2001:db8:1:2::1"))
    #expect(!shares.take("2001:db8:1:2:ffff::9"))
    #expect(shares.take("2001:db8:1:3::1"))
  }

  @Test func `other machines together leave connections for this one`() throws {
    let proxy = try #require(NetworkPrefix(parsing: "203.0.113.1"))
    let shares = ConnectionShares(most: 2, remote: 3, exempt: [proxy])
    #expect(shares.take("192.0.2.1") && shares.take("192.0.2.2") && shares.take("203.0.113.1"))
    #expect(!shares.take("192.0.2.3") && !shares.take("203.0.113.1"))
    #expect(shares.take("127.0.0.1") && shares.take("::1"))
    shares.release("203.0.113.1")
    #expect(shares.take("192.0.2.3") && !shares.take("192.0.2.4"))
  }

  @Test func `a trusted proxy's address stands for many clients`() throws {
    let proxy = try #require(NetworkPrefix(parsing: "192.0.2.0/24"))
    let shares = ConnectionShares(most: 1, exempt: [proxy])
    for _ in 0..<5 { #expect(shares.take("192.0.2.7")) }
    for _ in 0..<5 { shares.release("192.0.2.7") }
    #expect(shares.take("198.51.100.1") && !shares.take("198.51.100.1"))
  }
}
