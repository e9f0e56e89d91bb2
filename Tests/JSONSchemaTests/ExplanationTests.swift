import AgentJSON
import JSONSchema
import Testing

@Suite struct ExplanationTests {
  private func property(_ name: String, _ schema: String) -> String {
    #"{"properties":{"\#(name)":\#(schema)}}"#
  }

  @Test(arguments: [
    ("window", #""60""#, #"expected an integer, found "60". Remove the quotes."#),
    ("window", "null", "expected an integer, found null. Leave the key out."),
    ("window", "5.5", "expected an integer, found 5.5. Write it without a fraction."),
    ("window", "true", "expected an integer, found true"),
    ("window", "[7]", "expected an integer, found an array of 1. Remove the brackets."),
    (
      "window", #""5s""#, #"expected an integer, found "5s". Write the number without its unit: 5."#
    ),
    (
      "window_ms", #""5s""#,
      #"expected an integer, found "5s". Write 5000; the unit is milliseconds."#
    ),
    (
      "wait_seconds", #""5 min""#,
      #"expected an integer, found "5 min". Write 300; the unit is seconds."#
    ),
    (
      "wait_seconds", #""9223372036854775807h""#,
      #"expected an integer, found "9223372036854775807h". Write a number; the unit is seconds."#
    ),
  ]) func `a wrong type says what to write instead`(
    key: String, value: String, message: String
  ) throws {
    let schema = property(key, #"{"type":"integer"}"#)
    #expect(try messages(schema, #"{"\#(key)":\#(value)}"#) == ["\(key): \(message)"])
  }

  @Test func `a whole number with a decimal point is an integer`() throws {
    #expect(try messages(#"{"type":"integer"}"#, "5.0") == [])
  }

  @Test(arguments: [
    (#"{"type":"string"}"#, "60", #"expected a string, found 60. Put quotes around it: "60"."#),
    (#"{"type":"boolean"}"#, #""yes""#, #"expected true or false, found "yes". Write true."#),
    (#"{"type":"array"}"#, #""x""#, #"expected an array, found "x". Write ["x"]."#),
    (
      #"{"type":"array"}"#, "{}",
      "expected an array, found an empty object. Put it in brackets: [{ … }]."
    ),
    (
      #"{"enum":["trace","debug","info"]}"#, #""Inof""#,
      #"expected "trace", "debug" or "info", found "Inof". Did you mean "info"?"#
    ),
    (#"{"enum":[1,2]}"#, #""2""#, #"expected 1 or 2, found "2". Remove the quotes."#),
    (#"{"minimum":1}"#, "0", "expected at least 1, found 0"),
    (#"{"exclusiveMaximum":1}"#, "1", "expected less than 1, found 1"),
    (#"{"multipleOf":5}"#, "-7", "expected a multiple of 5, found -7. The nearest are -10 and -5."),
    (
      #"{"maximum":3600,"description":"how long, in seconds"}"#, "60000",
      "expected at most 3600, found 60000. The unit is seconds: 60000 milliseconds are 60."
    ),
    (#"{"minLength":1}"#, #""""#, "expected at least 1 character, found none"),
    (#"{"maxLength":1}"#, #""🐉é""#, #"expected at most 1 character, found 2 in "🐉é""#),
    (#"{"minItems":2}"#, "[1]", "expected at least 2 elements, found 1"),
    (
      #"{"pattern":"^[a-z_]+$","title":"Queue name"}"#, #""My queue""#,
      #"expected a string that matches ^[a-z_]+$ (Queue name), found "My queue". Write "my_queue"."#
    ),
    (
      #"{"pattern":"^[a-z]+$","errorMessage":{"pattern":"Use small letters."}}"#, #""9""#,
      #"Use small letters (found "9")."#
    ),
    (
      #"{"contains":{"type":"integer"}}"#, "[]",
      "expected at least 1 element fitting an integer, found none"
    ),
    (#"{"not":{"type":"string"}}"#, #""a""#, #"expected anything but a string, found "a""#),
    (#"{"dependentRequired":{"a":["b"]}}"#, #"{"a":1}"#, #"missing key "b", needed with "a""#),
    (
      #"{"propertyNames":{"maxLength":1}}"#, #"{"ab":1}"#,
      #"the key "ab": expected at most 1 character, found 2 in "ab""#
    ),
    ("false", "1", "no value is allowed here. Remove it."),
  ]) func `every keyword explains itself`(schema: String, value: String, message: String) throws {
    #expect(try messages(schema, value) == [message])
  }

  @Test func `a repeated element is reported at its own place`() throws {
    #expect(
      try messages(#"{"uniqueItems":true}"#, #"["a","b","a"]"#) == [
        #"[2]: expected elements that all differ, found "a", the same as [0]. Remove one of them."#
      ])
  }
}

@Suite struct KeyExplanationTests {
  private let schema = """
    {"properties": {
       "window": {"type": "integer"}, "enabled": {"type": "boolean"},
       "field": {"description": "the number to watch"}},
     "required": ["window", "field"], "additionalProperties": false}
    """

  @Test func `a misspelled key is one failure, not an unknown and a missing one`() throws {
    #expect(
      try messages(schema, #"{"field":"x","windw":60}"#)
        == [#"unknown key "windw". Did you mean "window"?"#])
  }

  @Test func `a missing key is reported with its purpose`() throws {
    #expect(
      try messages(schema, #"{"window":60}"#) == [#"missing key "field" (the number to watch)"#])
  }

  @Test func `a key without a similar one gets the list of known ones`() throws {
    #expect(
      try messages(schema, #"{"window":60,"field":"x","zebra":1}"#)
        == [#"unknown key "zebra". Known here: "window", "enabled" and "field"."#])
  }

  @Test func `a required null gets no advice to leave it out`() throws {
    #expect(
      try messages(schema, #"{"window":null,"field":1,"enabled":null}"#) == [
        "window: expected an integer, found null",
        "enabled: expected true or false, found null. Leave the key out.",
      ])
  }

  @Test func `keys from other branches are known to unevaluatedProperties`() throws {
    let schema = """
      {"allOf": [{"properties": {"window": {"type": "integer"}}}], "properties": {"field": {}},
       "unevaluatedProperties": false}
      """
    #expect(
      try messages(schema, #"{"window":"x","feild":1}"#) == [
        #"window: expected an integer, found "x""#, #"unknown key "feild". Did you mean "field"?"#,
      ])
  }

  @Test func `a deprecated key is a warning, also inside a branch, and the value still fits`()
    throws
  {
    let schema = """
      {"anyOf": [{"properties": {"old": {"deprecated": true, "description": "Use new."}}}]}
      """
    #expect(
      try messages(schema, #"{"old":1}"#) == [#"warning: old: "old" is deprecated. Use new."#])
    #expect(try Schema(JSONValue(parsing: schema)).isValid(["old": 1]))
  }

  @Test func `failures are in document order with places of keys and values`() throws {
    let schema = try Schema(JSONValue(parsing: schema))
    let document = try JSONDocument(
      parsing: #"{"wat": 1, "window": "1", "enabled": 3, "field": 1}"#)
    let failures = schema.validate(document.root)
    #expect(failures.map(\.keyword) == ["additionalProperties", "type", "type"])
    #expect(failures.map(\.instance.description) == ["", "/window", "/enabled"])
    #expect(failures.map(\.key) == ["wat", nil, nil])
    #expect(failures.map(\.range.lowerBound) == [1, 21, 37])
    #expect(failures[1].schema.description == "/properties/window/type")
    #expect(failures[1].expected == "an integer")
    #expect(failures[1].found == #""1""#)
    #expect(failures[1].suggestion == "Remove the quotes.")
  }
}
