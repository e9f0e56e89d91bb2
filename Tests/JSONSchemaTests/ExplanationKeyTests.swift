import AgentJSON
import JSONSchema
import Testing

/// Keys that are misspelt, in the wrong place, or missing.
@Suite struct ExplanationKeyTests {
  private let schema = """
    {"type": "object", "additionalProperties": false, "required": ["version"], "properties": {
      "version": {"type": "string", "examples": ["1.2.0"]},
      "server": {"type": "object", "additionalProperties": false, "required": ["host"],
        "properties": {"host": {"type": "string", "title": "Host name"}, "port": {"type": "integer"},
          "tls": {"type": "object", "additionalProperties": false,
            "properties": {"certificate": {"type": "string"}}}}},
      "check_interval_seconds": {"type": "integer"}, "replicas": {"type": "integer"}}}
    """

  @Test(arguments: [
    "checkIntervalSeconds", "check-interval-seconds", "CHECK_INTERVAL_SECONDS",
    "CheckIntervalSeconds", "check_interval", "check_interval_second",
  ]) func `case, separators and a missing word don't hide a key`(key: String) throws {
    #expect(
      try messages(schema, #"{"version":"1","\#(key)":5}"#)
        == [#"unknown key "\#(key)". Did you mean "check_interval_seconds"?"#])
  }

  @Test func `a key of another unit shows its converted value`() throws {
    #expect(
      try messages(schema, #"{"version":"1","check_interval_ms":5000}"#) == [
        #"unknown key "check_interval_ms". Did you mean "check_interval_seconds"? "#
          + "5000 milliseconds are 5 seconds."
      ])
  }

  @Test(arguments: [
    (
      #"{"version":"1","port":80}"#, #"unknown key "port". It belongs into "server"."#
    ),
    (
      #"{"version":"1","server":{"host":"a","certificate":"x"}}"#,
      #"server: unknown key "certificate". It belongs into "tls"."#
    ),
    (
      #"{"version":"1","server":{"host":"a","replicas":2}}"#,
      #"server: unknown key "replicas". It belongs one level up, beside "server"."#
    ),
    (
      #"{"app":{"version":"1","replicas":2}}"#,
      #"unknown key "app". What is in it belongs one level up, without "app" around it."#
    ),
  ]) func `a key at the wrong level is reported with the right one`(value: String, message: String)
    throws
  {
    #expect(try messages(schema, value) == [message])
  }

  @Test func `a missing key says what to add`() throws {
    #expect(
      try messages(schema, #"{"server":{}}"#) == [
        #"missing key "version". Add it, such as "version": "1.2.0"."#,
        #"server: missing key "host" (Host name). Add it with a string."#,
      ])
    let kinds = #"{"required":["type"],"properties":{"type":{"enum":["a","b"]}}}"#
    #expect(try messages(kinds, "{}") == [#"missing key "type". Add it with "a" or "b"."#])
    let constant = #"{"required":["type"],"properties":{"type":{"const":"a"}}}"#
    #expect(try messages(constant, "{}") == [#"missing key "type". Add "type": "a"."#])
  }

  @Test func `a deprecated key names only its replacement`() throws {
    let schema = """
      {"properties": {"old": {"deprecated": true,
        "description": "The port that is opened. Since 0.3 without effect. Use \\"server.port\\" instead."}}}
      """
    #expect(
      try messages(schema, #"{"old":1}"#)
        == [#"warning: old: "old" is deprecated. Use "server.port" instead."#])
  }
}
