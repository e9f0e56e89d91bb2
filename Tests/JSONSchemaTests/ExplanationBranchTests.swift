import AgentJSON
import JSONSchema
import Testing

/// Which branch was meant, where no constant says so.
@Suite struct ExplanationBranchTests {
  private let source = """
    {"oneOf": [
      {"title": "a file", "type": "object", "required": ["path"], "additionalProperties": false,
       "properties": {"path": {"type": "string"}, "follow": {"type": "boolean"}}},
      {"title": "a socket", "type": "object", "required": ["port"], "additionalProperties": false,
       "properties": {"port": {"type": "integer"}, "host": {"type": "string"}}}]}
    """

  @Test(arguments: [
    (
      #"{"path":"x","port":5}"#,
      #""path" and "port" don't go together. Keep only "path" (a file) or "port" (a socket)."#
    ),
    ("{}", #"missing key "path" (a file) or "port" (a socket). Add one of them."#),
    (#"{"host":"h"}"#, #"missing key "port". Add it with an integer."#),
    (#"{"pth":"x"}"#, #"unknown key "pth". Did you mean "path"?"#),
    (#"{"path":"x","follow":"yes"}"#, #"follow: expected true or false, found "yes". Write true."#),
    (
      #"{"path":5,"follow":"no"}"#, #"path: expected a string, found 5. Put quotes around it: "5"."#
    ),
  ]) func `keys that only one branch has select it`(value: String, message: String) throws {
    #expect(try messages(source, value).first == message)
  }

  @Test func `a required key is a discriminator, too`() throws {
    let any = #"{"anyOf":[{"required":["a"]},{"required":["b","c"]}]}"#
    #expect(
      try messages(any, "{}") == [#"missing key "a" or "b" and "c". Add one of them."#])
    let one = #"{"oneOf":[{"required":["a"]},{"required":["b"]}]}"#
    #expect(
      try messages(one, #"{"a":1,"b":2}"#)
        == [#""a" and "b" don't go together. Keep only "a" or "b"."#])
    let not = #"{"not":{"required":["a"]}}"#
    #expect(try messages(not, #"{"a":1}"#) == [#"the key "a" isn't allowed here. Remove it."#])
  }

  private let notice = """
    {"oneOf": [
      {"properties": {"type": {"const": "email"}, "to": {"type": "string"}},
       "required": ["type", "to"], "additionalProperties": false},
      {"properties": {"type": {"const": "webhook"}, "url": {"type": "string"}},
       "required": ["type", "url"], "additionalProperties": false}]}
    """

  @Test(arguments: [
    (
      #"{"type":"slack","url":"x"}"#,
      #"type: expected "email" or "webhook", found "slack". The other keys are those of "webhook"."#
    ),
    (
      #"{"kind":"email","to":"x"}"#,
      #"missing key "type" ("email" or "webhook"). Is "kind" meant to be it?"#
    ),
    (
      #"{"to":"x"}"#,
      #"missing key "type" ("email" or "webhook"). Add "type": "email", going by the other keys."#
    ),
    ("{}", #"missing key "type" ("email" or "webhook"). Add it."#),
  ]) func `the other keys show which constant was meant`(value: String, message: String) throws {
    #expect(try messages(notice, value) == [message])
  }

  @Test(arguments: [
    ("gt", ">"), ("≥", ">="), ("=>", ">="), ("=", "=="), ("neq", "!="),
  ]) func `a comparison in other symbols is recognized`(text: String, sign: String) throws {
    let schema = #"{"enum":[">",">=","<","<=","==","!="]}"#
    let message = try #require(try messages(schema, #""\#(text)""#).first)
    #expect(message.hasSuffix(#"Did you mean "\#(sign)"?"#), "\(message)")
  }
}

/// The schema author's own words.
@Suite struct ErrorMessageTests {
  @Test(arguments: [
    (
      #"{"type":"integer","errorMessage":"How many, in digits."}"#, #""5""#,
      #"How many, in digits (found "5"). Remove the quotes."#
    ),
    (
      #"{"minimum":1,"errorMessage":{"minimum":"at least one is needed"}}"#, "0",
      "at least one is needed (found 0)"
    ),
    (
      #"{"minimum":1,"errorMessage":{"maximum":"no","_":"One to nine."}}"#, "0",
      "One to nine (found 0)."
    ),
    (#"{"required":["a"],"errorMessage":{"required":"Give an a."}}"#, "{}", "Give an a."),
    (#"{"required":["a"],"errorMessage":{"required":{"a":"Give an a."}}}"#, "{}", "Give an a."),
    (
      #"{"required":["a"],"errorMessage":{"required":{"b":"Give a b."}}}"#, "{}",
      #"missing key "a""#
    ),
    (
      #"{"properties":{"a":{"items":{"type":"string"}}},"errorMessage":{"properties":{"a":"A list of names."}}}"#,
      #"{"a":[1,2]}"#, "a: A list of names (found an array of 2)."
    ),
    (
      #"{"prefixItems":[{"type":"string"},{"type":"string"}],"errorMessage":{"items":["first","second"]}}"#,
      #"["a",2]"#, "[1]: second (found 2)"
    ),
    (
      #"{"items":{"type":"string"},"errorMessage":{"items":"Names only."}}"#, "[1]",
      "[0]: Names only (found 1)."
    ),
  ]) func `an ajv-errors message replaces ours`(schema: String, value: String, message: String)
    throws
  {
    #expect(try messages(schema, value) == [message])
  }

  @Test func `a message of another form is a fault of the schema`() {
    #expect(throws: SchemaError.self) { try Schema(["errorMessage": 5]) }
  }
}
