import AgentJSON
import AgentSettings
import Testing

/// `traces`: where spans are sent.
@Suite struct TraceSettingsTests {
  private func load(
    _ traces: String, environment: [String: String] = [:]
  ) throws -> SettingsResult {
    try SettingsFixture().load(
      #"{"agent": {"name": "pump"}, "traces": \#(traces)}"#, environment: environment)
  }

  @Test func `settings without traces trace nothing`() throws {
    let settings = try #require(SettingsFixture().load("{}").settings)
    #expect(settings.traces == nil)
  }

  @Test func `an address suffices, and the rest is the schema's`() throws {
    let result = try load(#"{"endpoint": "http://c:4318"}"#)
    let traces = try #require(result.settings?.traces)
    #expect(traces == TraceSettings(endpoint: "http://c:4318", serviceName: "pump"))
    let path = "/properties/traces/properties/sample/default"
    let sample = result.composedSchema.value(at: try JSONPointer(path))
    #expect(sample?.double == traces.sample)
  }

  @Test func `every setting of traces is read`() throws {
    let traces = try #require(
      load(
        """
        {"endpoint": "https://c/otlp", "sample": 0.25, "service_name": "trading",
         "headers": {"X-Tenant": "ops"}}
        """
      ).settings?.traces)
    #expect(traces.endpoint == "https://c/otlp" && traces.sample == 0.25)
    #expect(traces.headers == ["X-Tenant": "ops"] && traces.serviceName == "trading")
  }

  @Test func `a header may come from a secret, which isn't shown`() throws {
    let result = try load(
      #"{"endpoint": "http://c", "headers": {"Authorization": "Bearer ${secret:KEY}"}}"#,
      environment: ["KEY": "s3same-open"])
    let settings = try #require(result.settings)
    #expect(settings.traces?.headers == ["Authorization": "Bearer s3same-open"])
    #expect(!settings.redactor.redact("it sent Bearer s3same-open").contains("s3same"))
  }

  @Test(arguments: [
    #"{"endpoint": "c:4318"}"#, #"{"endpoint": "ftp://c"}"#, #"{"endpoint": "http://"}"#,
    #"{"endpoint": "http:///v1/traces"}"#, #"{"endpoint": "http://c/?a=b"}"#,
    #"{"endpoint": "http://user:word@c"}"#, #"{"endpoint": "http://a b"}"#,
  ])
  func `a text that is no collector's address is refused with its place`(traces: String) throws {
    let result = try load(traces)
    #expect(result.settings == nil)
    #expect(result.codes == ["invalid_address"])
    #expect(result.lines.first?.hasPrefix("settings.json:1:") == true, "\(result.lines)")
    #expect(result.lines.first?.contains("http://127.0.0.1:4318") == true, "\(result.lines)")
  }

  @Test(arguments: [
    #"{"a b": "c"}"#, #"{"": "c"}"#, #"{"a": "c\r\nHost: other"}"#, #"{"a\u0000": "c"}"#,
  ])
  func `a text that can't be a header field is refused`(headers: String) throws {
    let result = try load(#"{"endpoint": "http://c", "headers": \#(headers)}"#)
    #expect(result.settings == nil)
    #expect(
      result.lines.contains { $0.contains("can't be sent as a header field") }, "\(result.lines)")
  }

  @Test(arguments: [
    (#"{}"#, "missing key \"endpoint\""), (#"{"endpoint": ""}"#, "endpoint"),
    (#"{"endpoint": "http://c", "sample": 1.5}"#, "sample"),
    (#"{"endpoint": "http://c", "sample": "half"}"#, "found \"half\""),
    (#"{"endpoint": "http://c", "headers": {"a": 1}}"#, "expected a string"),
    (#"{"endpoint": "http://c", "samples": 1}"#, "sample"),
  ])
  func `a setting that violates the schema is refused`(traces: String, words: String) throws {
    let result = try load(traces)
    #expect(result.settings == nil)
    #expect(result.lines.contains { $0.contains(words) }, "\(result.lines)")
  }
}
