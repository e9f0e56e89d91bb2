import AgentJSON
import AgentModules
import AgentSettings
import Testing

/// `http`: whom the port believes, and how much it takes.
@Suite struct HTTPSettingsTests {
  @Test func `proxies are addresses and ranges`() throws {
    let result = try SettingsFixture().load(
      #"{"http": {"trusted_proxies": ["127.0.0.1", "10.0.0.0/8"]}}"#)
    let proxies = try #require(result.settings).http.trustedProxies
    #expect(proxies.map(\.description) == ["127.0.0.1", "10.0.0.0/8"])
    #expect(HTTPSettings().trustedProxies.isEmpty)
  }

  @Test(arguments: ["localhost", "10.0.0.0/33", "10.0.0"])
  func `a proxy's name is refused as an address`(_ text: String) throws {
    let result = try SettingsFixture().load(#"{"http": {"trusted_proxies": ["\#(text)"]}}"#)
    let problem = try #require(result.problems.first)
    #expect(
      problem.path.hasPrefix("http.trusted_proxies"))
    #expect(result.settings == nil)
  }

  @Test func `the number of connections per address is the schema's`() throws {
    let result = try SettingsFixture().load(
      #"{"http": {"limits": {"connections_per_address": 7}}}"#)
    #expect(result.settings?.http.limits.connectionsPerAddress == 7)
    let path = "/properties/http/properties/limits/properties/connections_per_address/default"
    let value = result.composedSchema.value(at: try JSONPointer(path))
    #expect(value?.int == HTTPSettings().limits.connectionsPerAddress)
  }

  @Test func `a hundred of very many wrong keys are reported`() throws {
    let keys = (0..<20_000).map { "\"wrong\($0)\": 1" }.joined(separator: ", ")
    let result = try SettingsFixture().load("{\(keys)}")
    #expect(result.settings == nil)
    #expect((100...102).contains(result.problems.count), "\(result.problems.count)")
  }

  @Test func `tokens of agents are secret wherever they stand`() {
    let secret = "STQKK77rYzaEDWZZj9VkwAIRGUgwHiS7D3Hg958v9qk"
    let text = "GET /x/bulkhead_OyX3ypxYouNn_\(secret)?a"
    #expect(Redactor.none.redact(text) == "GET /x/bulkhead_OyX3ypxYouNn_[secret]?a")
    #expect(
      Redactor(["GET"]).redact("\(text) \(text)").contains(secret) == false)
    for text in ["bulkhead_http_requests_total", "bulkhead_", "bulkhead_abcdefghijkl_short"] {
      #expect(Redactor.none.redact(text) == text)
    }
  }
}
