import AgentJSON
import JSONSchema
import Testing

/// One value where a list or an object is wanted, and the other way round.
@Suite struct ExplanationShapeTests {
  @Test(arguments: [
    (#"{"items":{"type":"string"}}"#, #""/""#, #"Write ["/"]."#),
    (#"{"items":{"enum":["cpu","load"]}}"#, #""cpu, load""#, #"Write ["cpu","load"]."#),
    (#"{"items":{"enum":["cpu","load"]}}"#, #""cpu load""#, #"Write ["cpu","load"]."#),
    (#"{"items":{"type":"string"}}"#, #""Hello, my world""#, #"Write ["Hello, my world"]."#),
    (#"{"items":{"enum":["cpu","load"]}}"#, #"{"cpu":true}"#, #"Write ["cpu"]."#),
    (#"{"items":{"type":"object"}}"#, #"{"a":1}"#, "Put it in brackets: [{ … }]."),
    (
      #"{"items":{"type":"object","required":["path"],"properties":{"path":{"type":"string"}}}}"#,
      #""/x""#, #"Write [{"path":"/x"}]."#
    ),
    (
      #"{"items":{"type":"integer"},"examples":[[80,443]]}"#, "true",
      "Write a value such as [80,443]."
    ),
  ]) func `a value in place of a list is explained`(schema: String, value: String, advice: String)
    throws
  {
    let schema = try JSONValue(parsing: schema).merging(patch: ["type": "array"]).text()
    let found = try JSONValue(parsing: value)
    let shown = found.object == nil ? value : "an object"
    #expect(try messages(schema, value) == ["expected an array, found \(shown). \(advice)"])
  }

  @Test(arguments: [
    (#"{"required":["host","port"]}"#, #""a:80""#, #"Write an object with "host" and "port"."#),
    (
      #"{"required":["path"],"properties":{"path":{"type":"string"}}}"#, #""/x""#,
      #"Write {"path":"/x"}."#
    ),
    (#"{"properties":{"enabled":{"type":"boolean"}}}"#, "true", #"Write {"enabled":true}."#),
    (#"{"properties":{"a":{},"b":{}}}"#, "5", #"Write an object with "a" or "b"."#),
  ]) func `a value in place of an object is explained`(
    schema: String, value: String, advice: String
  ) throws {
    let schema = try JSONValue(parsing: schema).merging(patch: ["type": "object"]).text()
    #expect(try messages(schema, value) == ["expected an object, found \(value). \(advice)"])
  }

  @Test(arguments: [
    #"{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}"#,
    #"{"type":"array","items":{"type":"string"}}"#,
  ]) func `advice doesn't repeat a text of any length`(schema: String) throws {
    let text = String(repeating: "n", count: 100_000)
    let message = try #require(try messages(schema, "\"\(text)\"").first)
    #expect(message.hasPrefix("expected an "))
    #expect(message.utf8.count < 700)
  }

  @Test(arguments: [
    (
      #"{"type":"number"}"#, #"{"value":90}"#,
      #"an object. Write only the value of "value", without the braces."#
    ),
    (
      #"{"type":"string"}"#, #"["a","b"]"#,
      "an array of 2. Write only one of them, without the brackets."
    ),
    (#"{"type":"integer","default":5}"#, #""five""#, #""five". Write a value such as 5."#),
    (#"{"enum":["a"]}"#, #"["a"]"#, "an array of 1. Remove the brackets."),
  ]) func `a list in place of a single value is explained`(
    schema: String, value: String, rest: String
  ) throws {
    let message = try #require(try messages(schema, value).first)
    #expect(message.hasSuffix(", found \(rest)"), "\(message)")
  }

  @Test func `values and names are cut in messages`() throws {
    let long = String(repeating: "x", count: 500)
    for (schema, value) in [
      (#"{"type":"integer"}"#, #""\#(long)""#), (#"{"maxLength":1}"#, #""\#(long)""#),
      (#"{"type":"string"}"#, #"{"\#(long)":1}"#),
      (#"{"additionalProperties":false}"#, #"{"\#(long)":1}"#),
      (#"{"type":"boolean"}"#, String(repeating: "9", count: 500)),
      (#"{"pattern":"^\#(long)$"}"#, #""a""#), (#"{"required":["\#(long)"]}"#, "{}"),
      (#"{"type":"array"}"#, #""\#(long)""#), (#"{"const":"\#(long)"}"#, "1"),
    ] {
      let message = try #require(try messages(schema, value).first)
      #expect(message.unicodeScalars.count < 240, "\(message)")
    }
  }
}
