import AgentJSON
import JSONSchema
import Testing

@Suite struct BranchTests {
  private let union = """
    {"oneOf": [
      {"properties": {"type": {"const": "file"}, "path": {"type": "string"},
                      "level": {"enum": ["low", "high"]}},
       "required": ["type", "path"], "additionalProperties": false},
      {"properties": {"type": {"const": "socket"}, "port": {"type": "integer"},
                      "level": {"enum": ["low", "high"]}},
       "required": ["type", "port"], "additionalProperties": false}]}
    """

  @Test func `only the branch with the value's constant is explained`() throws {
    #expect(
      try messages(union, #"{"type":"socket","port":"80","level":"hgih"}"#) == [
        #"port: expected an integer, found "80". Remove the quotes."#,
        #"level: expected "low" or "high", found "hgih". Did you mean "high"?"#,
      ])
  }

  @Test func `a value that matches no branch gets the values of all`() throws {
    #expect(
      try messages(union, #"{"type":"sockte","port":80}"#)
        == [#"type: expected "file" or "socket", found "sockte". Did you mean "socket"?"#])
  }

  @Test func `a missing discriminator is the only key reported`() throws {
    #expect(
      try messages(union, #"{"port":80}"#)
        == [
          #"missing key "type" ("file" or "socket"). Add "type": "socket", going by the other keys."#
        ])
  }

  @Test func `types of all branches are combined into one sentence`() throws {
    let schema = #"{"anyOf":[{"type":"integer"},{"const":"auto"}]}"#
    #expect(
      try messages(schema, #""60""#)
        == [#"expected an integer or "auto", found "60". Remove the quotes."#])
    #expect(
      try messages(schema, #""Auto""#)
        == [#"expected an integer or "auto", found "Auto". Did you mean "auto"?"#])
  }

  @Test func `the branch of the value's type is explained`() throws {
    let schema = """
      {"anyOf": [{"type": "string"}, {"type": "object", "required": ["id"],
        "properties": {"id": {"type": "string"}}}]}
      """
    #expect(
      try messages(schema, #"{"id":5}"#)
        == [#"id: expected a string, found 5. Put quotes around it: "5"."#])
  }

  @Test func `two branches that fit are named`() throws {
    let schema = #"{"oneOf":[{"title":"a count","minimum":1},{"title":"a port","minimum":2}]}"#
    #expect(
      try messages(schema, "5") == [
        "expected what fits exactly one of several forms, found 5 that fits 2: a count and a port"
      ])
  }

  @Test func `values that the caller ignores are accepted everywhere`() throws {
    let isReference = { (node: JSONNode) in node.string?.hasPrefix("${") ?? false }
    #expect(
      try messages(
        union, #"{"type":"socket","port":"${env:PORT}","level":"x"}"#, ignoring: isReference)
        == [#"level: expected "low" or "high", found "x""#])
    #expect(
      try messages(
        #"{"properties":{"a":{"oneOf":[{"minimum":1},{"maximum":0}]},"b":{"not":{"type":"string"}}}}"#,
        #"{"a":"${env:A}","b":"${env:B}"}"#, ignoring: isReference) == [])
    #expect(
      try messages(
        #"{"properties":{"port":{}},"additionalProperties":false}"#, #"{"prt":"${env:P}"}"#,
        ignoring: isReference) == [#"unknown key "prt". Did you mean "port"?"#])
  }

  @Test func `a value nested too deeply to be checked is a failure`() throws {
    let depth = 500
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let document = try JSONDocument(parsing: text, limits: JSONLimits(maxDepth: depth))
    let schema = try Schema(["items": ["$ref": "#"]])
    #expect(
      schema.validate(document.root).map(\.expected) == ["a value that is nested less deeply"])
    #expect(!schema.isValid(document.root))
  }
}
