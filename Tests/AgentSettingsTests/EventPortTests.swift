import AgentJSON
import AgentSettings
import Testing

/// `events.tcp`: the port for events.
@Suite struct EventPortTests {
  @Test func `an omitted member has the schema's default`() throws {
    let result = try SettingsFixture().load(#"{"events": {"tcp": {"listen": "17042"}}}"#)
    let port = try #require(result.settings?.events.tcp)
    #expect(port == EventPortSettings(listen: ListenAddress(host: "127.0.0.1", port: 17_042)))
    func value(_ key: String) throws -> JSONValue? {
      let path = "/properties/events/properties/tcp/properties/\(key)/default"
      return result.composedSchema.value(at: try JSONPointer(path))
    }
    #expect(try value("allow_remote")?.bool == port.allowsRemote)
    #expect(try value("source")?.string == port.source)
    #expect(try value("max_connections")?.int == port.maxConnections)
    #expect(try value("idle_seconds")?.int == port.idleSeconds)
    #expect(port.maxLine == 1 << 20)
    #expect(try value("max_line") == "1MB")
    #expect(try SettingsFixture().load("{}").settings?.events.tcp == nil)
  }

  @Test func `every given member is taken`() throws {
    let text = """
      {"events": {"tcp": {"listen": "0.0.0.0:0", "allow_remote": true, "type": "reading",
        "source": "plant", "max_connections": 3, "max_line": "64KB", "idle_seconds": 0}}}
      """
    let port = try #require(try SettingsFixture().load(text).settings?.events.tcp)
    #expect(port.listen.description == "0.0.0.0:0" && port.allowsRemote)
    #expect(port.type == "reading" && port.source == "plant")
    #expect(port.maxConnections == 3 && port.maxLine == 64 << 10 && port.idleSeconds == 0)
  }

  @Test(arguments: [
    ("127.0.0.1:17042", "127.0.0.1:17042", true), ("17042", "127.0.0.1:17042", true),
    (":5", "127.0.0.1:5", true), ("localhost:5", "127.0.0.1:5", true),
    ("127.9.9.9:5", "127.9.9.9:5", true), ("[::1]:5", "[::1]:5", true),
    ("[::]:5", "[::]:5", false), ("0.0.0.0:65535", "0.0.0.0:65535", false),
    ("192.168.1.7:5", "192.168.1.7:5", false),
    ("[::ffff:127.0.0.1]:5", "[::ffff:127.0.0.1]:5", false),
  ]) func `valid addresses are read`(text: String, means: String, isLoopback: Bool) throws {
    let address = try #require(ListenAddress(parsing: text))
    #expect(address.description == means && address.isLoopback == isLoopback)
  }

  @Test(arguments: [
    "", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+5",
    "::1:5", "[::1]", "[::1:5", "example.org:5", "127.0.0:5", "99999999999999999999", " 5", "٥",
  ]) func `a text that is no address is refused`(text: String) {
    #expect(ListenAddress(parsing: text) == nil)
  }

  @Test(arguments: [
    (#"{"listen": "here:1"}"#, "1:31: events.tcp.listen: expected an address of this machine"),
    (#"{"listen": "0.0.0.0:1"}"#, "events.tcp.listen: other machines can reach 0.0.0.0"),
    (#"{"listen": "1", "max_line": "17MB"}"#, "events.tcp.max_line: an event has at most 16 MiB"),
    (#"{"listen": "1", "max_line": "much"}"#, "events.tcp.max_line: expected bytes, or a size"),
    (#"{"listen": "1", "idle": 5}"#, "events.tcp: unknown key \"idle\""),
    (#"{"type": "a"}"#, "events.tcp: missing key \"listen\""),
    (#"{"listen": "${env:NOWHERE}"}"#, "the variable NOWHERE isn't set"),
  ]) func `a mistake is reported with its place`(port: String, says: String) throws {
    let lines = try SettingsFixture().load(#"{"events": {"tcp": \#(port)}}"#).lines
    #expect(lines.count == 1 && lines.allSatisfy { $0.contains(says) }, "\(lines)")
  }
}
