import AgentJSON
import JSONSchema
import Testing

@Suite struct CompilationTests {
  private func error(_ schema: String) throws -> SchemaError? {
    let document = try JSONValue(parsing: schema)
    return #expect(throws: SchemaError.self) { try Schema(document) }
  }

  @Test func `every malformed keyword is reported at once, with its place`() throws {
    let error = try error(
      """
      {"type": "integr", "minimum": "1", "properties": {"a": {"required": "x"}, "b": 5},
       "items": [{}], "minLength": -1, "multipleOf": 0, "allOf": [], "$anchor": "1x",
       "errorMessage": 3, "uniqueItems": "yes", "pattern": "("}
      """)
    let all = error?.all ?? []
    #expect(
      Set(all.map(\.pointer.description)) == [
        "/type", "/minimum", "/properties/a/required", "/properties/b", "/items", "/minLength",
        "/multipleOf", "/allOf", "/$anchor", "/errorMessage", "/uniqueItems", "/pattern",
      ])
    #expect(
      all.contains {
        $0.message == "\"minimum\" must be a number, not \"1\"." && $0.code == .malformedKeyword
      })
  }

  @Test(arguments: [
    "5", #"{"not": 5}"#, ##"{"$ref": "#/$defs/x", "$defs": {"x": null}}"##,
  ]) func `what is no schema is refused`(schema: String) throws {
    #expect(try error(schema)?.all.first?.code == .notASchema)
  }

  @Test(arguments: [
    ##"{"$ref": "#"}"##, ##"{"allOf": [{"$ref": "#"}]}"##,
    ##"{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"not": {"$ref": "#/$defs/a"}}}, "$ref": "#/$defs/a"}"##,
    ##"{"properties": {"x": {"if": {"$ref": "#/properties/x"}}}}"##,
  ]) func `a loop of pure references is found when compiling`(schema: String) throws {
    #expect(try error(schema)?.code == .endlessReference)
  }

  @Test func `a schema that is recursive through its values is none`() throws {
    let schema = ##"{"properties": {"next": {"$ref": "#"}}, "additionalProperties": false}"##
    #expect(
      try messages(schema, #"{"next":{"next":{"nxt":1}}}"#)
        == [#"next.next: unknown key "nxt". Did you mean "next"?"#])
  }

  @Test func `a reference that leads nowhere names itself`() throws {
    let error = try error(#"{"properties": {"o": {"$ref": "agent:output"}}}"#)
    #expect(error?.code == .unresolvedReference)
    #expect(error?.pointer.description == "/properties/o/$ref")
    #expect(error?.message.contains(#""agent:output""#) == true)
  }

  @Test func `a registered schema is used, and its faults carry its address`() throws {
    var registry = SchemaRegistry()
    registry.register("agent:output", ["$defs": ["room": ["type": "string"]]])
    let reference: JSONValue = ["$ref": "agent:output#/$defs/room"]
    let schema = try Schema(["properties": ["o": reference]], registry: registry)
    #expect(!schema.isValid(["o": 5]))
    #expect(schema.isValid(["o": "x"]))

    registry.register("agent:output", ["$defs": ["room": ["type": 7]]])
    let error = #expect(throws: SchemaError.self) { try Schema(reference, registry: registry) }
    #expect(error?.document == "agent:output")
    #expect(error?.pointer.description == "/$defs/room/type")
  }

  @Test func `a chain of references too long for the stack is refused`() throws {
    var definitions: JSONObject = ["d0": true]
    for index in 1...300 {
      definitions["d\(index)"] = ["$ref": .string("#/$defs/d\(index - 1)")]
    }
    let schema: JSONValue = ["$defs": .object(definitions), "$ref": "#/$defs/d300"]
    let error = #expect(throws: SchemaError.self) { try Schema(schema) }
    #expect(error?.code == .tooDeep)
  }

  @Test func `numbers that no Int holds are no reason to trap`() throws {
    let schema = #"{"maxLength": 1e400, "minItems": 99999999999999999999, "multipleOf": 1e-400}"#
    #expect(try messages(schema, #""abc""#) == [])
    #expect(try messages(schema, "[]").count == 1)
    #expect(try messages(schema, "1e999999999") == [])
    #expect(try messages(#"{"multipleOf": 7}"#, "-9223372036854775808").count == 1)
  }
}
