import AgentJSON
import JSONSchema
import Testing

/// Amounts and numbers as people write them.
@Suite struct ExplanationUnitTests {
  @Test(arguments: [
    ("wait_seconds", #""1m30s""#, "Write 90; the unit is seconds."),
    ("wait_seconds", #""1.5h""#, "Write 5400; the unit is seconds."),
    ("waitSeconds", #""250ms""#, "Write a number; the unit is seconds."),
    ("wait-ms", #""1.5s""#, "Write 1500; the unit is milliseconds."),
    ("minutes", #""1 h""#, "Write 60; the unit is minutes."),
    ("size_bytes", #""2KiB""#, "Write 2048; the unit is bytes."),
    ("size_bytes", #""5s""#, "Write a number; the unit is bytes."),
    ("count", #""1,000""#, "Write 1000."),
    ("count", #""1_000_000""#, "Write 1000000."),
    ("count", #""0x10""#, "Write 16."),
    ("count", #""+5""#, "Write 5."),
    ("count", #""007""#, "Write 7."),
  ]) func `an integer in other notation is translated`(
    key: String, value: String, advice: String
  ) throws {
    let schema = #"{"properties":{"\#(key)":{"type":"integer"}}}"#
    #expect(
      try messages(schema, #"{"\#(key)":\#(value)}"#)
        == ["\(key): expected an integer, found \(value). \(advice)"])
  }

  @Test(arguments: [
    (#""9,5""#, "Write 9.5."), (#""1,500""#, "Write 1500 or 1.500."),
    (#""1,500.5""#, "Write 1500.5."),
    (#"".5""#, "Write 0.5."), (#""90%""#, "Write the number without its unit: 90."),
  ]) func `a number in other notation is translated`(value: String, advice: String) throws {
    #expect(
      try messages(#"{"type":"number"}"#, value)
        == ["expected a number, found \(value). \(advice)"])
  }

  @Test func `a text that is no number gets no invented number`() throws {
    for text in ["five", "-", "0x", "1,2,3", "1.2.3", "--5", "%", "5 apples"] {
      let value = JSONValue.string(text).text()
      #expect(
        try messages(#"{"type":"number"}"#, value) == ["expected a number, found \(value)"],
        "\(text)")
    }
  }

  @Test(arguments: [
    (#"{"maximum":1}"#, "50", "at most 1, found 50. If it is 50 percent, write 0.5."),
    (
      #"{"minimum":1000,"description":"The wait in milliseconds."}"#, "5",
      "at least 1000, found 5. The unit is milliseconds: 5 seconds are 5000."
    ),
    (
      #"{"minimum":1048576,"title":"Bytes"}"#, "256",
      "at least 1048576, found 256. The unit is bytes: 256 mebibytes are 268435456."
    ),
    (#"{"maximum":10,"description":"The wait in seconds."}"#, "11", "at most 10, found 11"),
  ]) func `a number out of bounds may be of another unit`(
    schema: String, value: String, message: String
  ) throws {
    #expect(try messages(schema, value) == ["expected \(message)"])
  }

  @Test(arguments: [
    "How long, in seconds.", "Seconds: the wait.", "The wait (seconds).", "Number of seconds.",
    "The longest wait: seconds.",
  ]) func `a description names the unit`(description: String) throws {
    let schema: JSONValue = ["type": "integer", "description": .string(description)]
    #expect(
      try messages(schema.text(), #""1m""#)
        == [#"expected an integer, found "1m". Write 60; the unit is seconds."#])
  }

  @Test func `a unit that a description only mentions isn't the value's own`() throws {
    let schema: JSONValue = [
      "type": "integer", "description": "How often it may end within sixty seconds.",
    ]
    #expect(
      try messages(schema.text(), #""1m""#)
        == [#"expected an integer, found "1m". Write the number without its unit: 1."#])
  }

  @Test func `a percentage that the bounds take for a share is translated`() throws {
    #expect(
      try messages(#"{"type":"number","maximum":1}"#, #""50%""#)
        == [#"expected a number, found "50%". Write 0.5."#])
  }

  @Test func `a number in place of a text with a unit gets the possible units`() throws {
    let schema = #"{"type":"string","pattern":"^[0-9]+(s|m)$"}"#
    #expect(
      try messages(schema, "30")
        == [#"expected a string, found 30. Write it with its unit: "30s" or "30m"."#])
  }
}
