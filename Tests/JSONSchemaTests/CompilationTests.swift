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
  ]) func `a value that is no schema is refused`(schema: String) throws {
    #expect(try error(schema)?.all.first?.code == .notASchema)
  }

  @Test(arguments: [
    ##"{"$ref": "#"}"##, ##"{"allOf": [{"$ref": "#"}]}"##,
    ##"{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"not": {"$ref": "#/$defs/a"}}}, "$ref": "#/$defs/a"}"##,
    ##"{"properties": {"x": {"if": {"$ref": "#/properties/x"}}}}"##,
  ]) func `a loop of pure references is found at compilation`(schema: String) throws {
    #expect(try error(schema)?.code == .endlessReference)
  }

  @Test func `a schema that is recursive through its values isn't a loop`() throws {
    let schema = ##"{"properties": {"next": {"$ref": "#"}}, "additionalProperties": false}"##
    #expect(
      try messages(schema, #"{"next":{"next":{"nxt":1}}}"#)
        == [#"next.next: unknown key "nxt". Did you mean "next"?"#])
  }

  @Test(arguments: [
    ("#/nowhere", ##""#/nowhere" leads nowhere: the schema has no "nowhere"."##),
    (
      "#/$defs/adress",
      ##""#/$defs/adress" leads nowhere: "#/$defs" has no "adress". Did you mean "#/$defs/address"?"##
    ),
    (
      "#/definitions/address",
      ##""#/definitions/address" leads nowhere: the schema has no "definitions". Did you mean "#/$defs/address"?"##
    ),
    (
      "#/address",
      ##""#/address" leads nowhere: the schema has no "address". Did you mean "#/$defs/address"?"##
    ),
    (
      "#address",
      ##""#address" leads nowhere: no place in the schema is named "address". Did you mean "#/$defs/address"?"##
    ),
    (
      "#$defs/address",
      ##""#$defs/address" leads nowhere: no place in the schema is named "$defs/address". Did you mean "#/$defs/address"?"##
    ),
    (
      "#plce",
      ##""#plce" leads nowhere: no place in the schema is named "plce". Did you mean "#place"?"##
    ),
    ("#/allOf/7", ##""#/allOf/7" leads nowhere: "#/allOf" has 1 element and no 7."##),
    ("#/$id/x", ##""#/$id/x" leads nowhere: "#/$id" is a string, with nothing inside."##),
    (
      "#/a~2",
      ##""#/a~2" leads nowhere: "/a~2" is no JSON Pointer; after ~ there has to be 0 or 1."##
    ),
    (
      "#/%zz",
      ##""#/%zz" leads nowhere: after % there have to be two hexadecimal digits."##
    ),
    (
      "inner#/$defs/x",
      ##""inner#/$defs/x" leads nowhere: "https://example.org/inner" has no "$defs"."##
    ),
  ]) func `a dangling reference names what is missing and what is there`(
    reference: String, message: String
  ) throws {
    let error = try error(
      """
      {"$id": "https://example.org/s", "$ref": "\(reference)", "allOf": [{"$id": "inner"}],
       "$defs": {"address": {"$anchor": "place"}}}
      """)
    #expect(error?.code == .unresolvedReference && error?.missingDocument == nil)
    #expect(error?.pointer.description == "/$ref")
    #expect(error?.message == message)
  }

  @Test func `a reference to an unknown document names it and says to register it`() throws {
    let alone = try error(#"{"properties": {"o": {"$ref": "agent:output"}}}"#)
    #expect(alone?.code == .unresolvedReference)
    #expect(alone?.pointer.description == "/properties/o/$ref")
    #expect(alone?.message == #""agent:output" is a document that isn't known here. Register it."#)
    #expect(alone?.missingDocument == "agent:output")
    let relative = try error(#"{"$id": "https://example.org/a/s", "$ref": "../item.json#/x"}"#)
    #expect(
      relative?.message
        == #""../item.json#/x" leads to "https://example.org/item.json", a document that isn't known here. Register it."#
    )
    #expect(relative?.missingDocument == "https://example.org/item.json")
    var registry = SchemaRegistry()
    registry.register("https://example.org/items.json", true)
    let near = #expect(throws: SchemaError.self) {
      try Schema(["$ref": "https://example.org/item.json"], registry: registry)
    }
    #expect(
      near?.message.hasSuffix(#"Register it, or did you mean "https://example.org/items.json"?"#)
        == true, "\(near?.message ?? "")")
  }

  @Test func `a registered schema is used, and its faults have its address`() throws {
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

  @Test func `numbers beyond Int don't trap`() throws {
    let schema = #"{"maxLength": 1e400, "minItems": 99999999999999999999, "multipleOf": 1e-400}"#
    #expect(try messages(schema, #""abc""#) == [])
    #expect(try messages(schema, "[]").count == 1)
    #expect(try messages(schema, "1e999999999") == [])
    #expect(try messages(#"{"multipleOf": 7}"#, "-9223372036854775808").count == 1)
    #expect(
      try messages(#"{"multipleOf": 9223372036854775807}"#, "4611686018427387905") == [
        "expected a multiple of 9223372036854775807, found 4611686018427387905. "
          + "The nearest are 0 and 9223372036854775807."
      ])
  }
}
