import AgentJSON
import JSONSchema
import Testing

/// What tells the drafts apart, beyond what the official suite asks.
@Suite struct DialectTests {
  private func schema(
    _ text: String, _ dialect: SchemaDialect = .draft2020,
    registry: SchemaRegistry = SchemaRegistry()
  ) throws -> Schema {
    try Schema(
      JSONValue(parsing: text), registry: registry, options: SchemaOptions(dialect: dialect))
  }

  @Test func `a schema's own draft overrides the options`() throws {
    let text =
      ##"{"$schema": "http://json-schema.org/draft-07/schema", "$ref": "#/x", "x": {}, "type": "null"}"##
    #expect(try schema(text).isValid(5))
    #expect(try !schema(##"{"$ref": "#/x", "x": {}, "type": "null"}"##).isValid(5))
  }

  @Test func `a draft is known by its address, with or without an empty fragment`() {
    #expect(SchemaDialect(uri: "http://json-schema.org/draft-04/schema") == .draft4)
    #expect(SchemaDialect(uri: "https://json-schema.org/draft-06/schema#") == .draft6)
    #expect(SchemaDialect(uri: "https://json-schema.org/draft/2019-09/schema#") == .draft2019)
    #expect(SchemaDialect(uri: "http://json-schema.org/draft-03/schema#") == nil)
    for dialect in SchemaDialect.allCases { #expect(SchemaDialect(uri: dialect.uri) == dialect) }
  }

  @Test func `an unknown draft or vocabulary is refused`() throws {
    let unknown = #expect(throws: SchemaError.self) {
      try schema(#"{"$schema": "https://example.org/x"}"#)
    }
    #expect(unknown?.code == .unknownDialect)
    #expect(unknown?.pointer.description == "/$schema")
    var registry = SchemaRegistry()
    registry.register("https://example.org/x", ["$vocabulary": ["https://example.org/v": true]])
    let demanded = #expect(throws: SchemaError.self) {
      try schema(#"{"$schema": "https://example.org/x"}"#, .draft2020, registry: registry)
    }
    #expect(demanded?.code == .unknownVocabulary)
  }

  @Test func `a metaschema without vocabularies follows its own draft`() throws {
    var registry = SchemaRegistry()
    registry.register(
      "https://example.org/four", ["$schema": "http://json-schema.org/draft-04/schema#"])
    let text = #"{"$schema": "https://example.org/four", "type": "integer"}"#
    #expect(try !schema(text, .draft2020, registry: registry).isValid(1.0))
  }

  @Test func `a vocabulary of 2019-09 asserts formats if it is required`() throws {
    for isRequired in [true, false] {
      var registry = SchemaRegistry()
      registry.register(
        "https://example.org/m",
        [
          "$vocabulary": [
            "https://json-schema.org/draft/2019-09/vocab/core": true,
            "https://json-schema.org/draft/2019-09/vocab/format": .bool(isRequired),
          ]
        ])
      let text = #"{"$schema": "https://example.org/m", "format": "ipv4", "type": "null"}"#
      let compiled = try schema(text, .draft2020, registry: registry)
      #expect(compiled.isValid("127.0.0.1"))
      #expect(compiled.isValid("x") == !isRequired)
    }
  }

  @Test func `schemas of several drafts may share a document`() throws {
    let bundle = """
      {"$schema": "https://json-schema.org/draft/2020-12/schema",
       "$id": "https://example.org/all", "properties": {
         "old": {"$ref": "https://example.org/old"}, "new": {"$ref": "https://example.org/new"}},
       "$defs": {
         "old": {"$schema": "http://json-schema.org/draft-04/schema#",
           "id": "https://example.org/old", "minimum": 3, "exclusiveMinimum": true,
           "items": [{"type": "integer"}], "additionalItems": false},
         "new": {"$id": "https://example.org/new", "prefixItems": [{"type": "integer"}]}}}
      """
    let compiled = try schema(bundle)
    #expect(compiled.isValid(["old": [1]]))
    #expect(!compiled.isValid(["old": [1.0]]))
    #expect(!compiled.isValid(["old": [1, 2]]))
    #expect(!compiled.isValid(["old": 3]))
    #expect(compiled.isValid(["new": [1.0, 2]]))
    #expect(!compiled.isValid(["new": ["x"]]))
  }

  @Test func `a registered schema without a draft is read as its referrer's`() throws {
    var registry = SchemaRegistry()
    registry.register("https://example.org/r", ["dependentRequired": ["a": ["b"]]])
    let reference = #"{"$schema": "\#(SchemaDialect.draft7.uri)", "$ref": "https://example.org/r"}"#
    #expect(try schema(reference, .draft2020, registry: registry).isValid(["a": 1]))
    #expect(
      try !schema(#"{"$ref": "https://example.org/r"}"#, .draft2020, registry: registry).isValid([
        "a": 1
      ]))
  }

  @Test func `content is asserted if the options ask for it`() throws {
    let document: JSONValue = [
      "contentEncoding": "base64", "contentMediaType": "application/json; charset=utf-8",
    ]
    let lenient = try Schema(document)
    #expect(lenient.isValid("%"))
    let strict = try Schema(document, options: SchemaOptions(content: .assertion))
    for text in ["e30=", "e30g", "WyJhIl0="] { #expect(strict.isValid(.string(text)), "\(text)") }
    for text in ["e30", "e3 0", "====", "=e30", "ezp9Cg==", "e===", ""] {
      #expect(!strict.isValid(.string(text)), "\(text)")
    }
    let failure = strict.validate("ezp9").first
    #expect(failure?.keyword == "contentMediaType")
    #expect(failure?.message.hasPrefix("expected a text that holds JSON") == true)
    let other = try Schema(
      ["contentEncoding": "quoted-printable", "contentMediaType": "application/json"],
      options: SchemaOptions(content: .assertion))
    #expect(other.isValid("x"))
  }

  @Test func `keys that differ in their bytes only are different keys`() throws {
    let compiled = try schema("{\"properties\": {\"\u{E9}\": false}, \"required\": [\"e\u{301}\"]}")
    #expect(compiled.isValid(["e\u{301}": 1]))
    #expect(!compiled.isValid(["\u{E9}": 1]))
  }

  @Test func `anchors of 2019-09 and 2020-12 follow their own rules`() throws {
    #expect(try schema(#"{"$anchor": "a:b"}"#, .draft2019).isValid(1))
    #expect(throws: SchemaError.self) { try schema(#"{"$anchor": "a:b"}"#) }
    #expect(try schema(#"{"$anchor": "_b"}"#).isValid(1))
    #expect(throws: SchemaError.self) { try schema(#"{"$anchor": "_b"}"#, .draft2019) }
  }

  @Test func `booleans are schemas in two places of draft 4 only`() throws {
    #expect(
      try schema(#"{"additionalProperties": false, "additionalItems": true}"#, .draft4).isValid([:])
    )
    let error = #expect(throws: SchemaError.self) {
      try schema(#"{"properties": {"a": true}}"#, .draft4)
    }
    #expect(error?.code == .notASchema)
  }

  @Test func `an endless loop through drafts and resources is found`() throws {
    var registry = SchemaRegistry()
    registry.register(
      "https://example.org/b",
      ["$schema": .string(SchemaDialect.draft7.uri), "$ref": "https://example.org/a"])
    let error = #expect(throws: SchemaError.self) {
      try schema(
        #"{"$id": "https://example.org/a", "anyOf": [{"$ref": "https://example.org/b"}]}"#,
        .draft2020, registry: registry)
    }
    #expect(error?.code == .endlessReference)
    #expect(throws: SchemaError.self) {
      try schema(##"{"not": {"$recursiveRef": "#"}}"##, .draft2019)
    }
  }

  @Test func `an endless loop that only a dynamic reference closes is found`() throws {
    let inner = """
      "inner": {"$id": "https://example.org/inner", "$dynamicRef": "#a",
        "$defs": {"d": {"$dynamicAnchor": "a", "type": "object"}}}
      """
    let text = """
      {"$id": "https://example.org/outer", "$dynamicAnchor": "a", "$ref": "inner",
       "$defs": {\(inner)}}
      """
    let error = #expect(throws: SchemaError.self) { try schema(text) }
    #expect(error?.code == .endlessReference)
    // The same, but for a part of the value: that ends with the value.
    let through = """
      {"$id": "https://example.org/outer", "$dynamicAnchor": "a", "properties": {
        "next": {"$ref": "inner"}}, "required": ["x"], "$defs": {\(inner)}}
      """
    #expect(try schema(through).isValid(["x": 1, "next": ["x": 2]]))
    #expect(try !schema(through).isValid(["x": 1, "next": ["y": 2]]))
    // And with an outermost anchor that keeps the two apart.
    let kept = """
      {"$id": "https://example.org/kept", "$ref": "outer", "$defs": {
        "a": {"$dynamicAnchor": "a", "type": "array"},
        "outer": {"$id": "https://example.org/outer", "$dynamicAnchor": "a", "$ref": "inner"},
        \(inner)}}
      """
    #expect(try schema(kept).isValid([1]))
    #expect(try !schema(kept).isValid([:]))
  }

  @Test func `a schema that only a reference reaches keeps its names, whichever way it is reached`()
    throws
  {
    let text = ##"""
      {"x": {"properties": {"a": {"type": "integer"}, "b": {"$anchor": "b", "type": "string"}}},
       "properties": {"1": {"$ref": "#/x/properties/a"}, "2": {"$ref": "#/x"}, "3": {"$ref": "#b"}}}
      """##
    #expect(try schema(text).isValid(["1": 1, "2": ["a": 1, "b": "x"], "3": "x"]))
    #expect(try !schema(text).isValid(["3": 1]))
  }

  @Test func `a draft's name must be a text`() throws {
    let error = #expect(throws: SchemaError.self) { try schema(#"{"$schema": 7}"#) }
    #expect(error?.code == .malformedKeyword)
    #expect(error?.pointer.description == "/$schema")
  }

  @Test func `only registered documents are known`() throws {
    for reference in ["https://example.org/x", "file:///etc/passwd", "other.json", "#nowhere"] {
      let error = #expect(throws: SchemaError.self) {
        try Schema(["properties": ["a": ["$ref": .string(reference)]]])
      }
      #expect(error?.code == .unresolvedReference)
      #expect(error?.pointer.description == "/properties/a/$ref")
    }
  }
}
