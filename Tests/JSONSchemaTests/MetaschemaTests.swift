import AgentJSON
import JSONSchema
import Testing

@Suite struct MetaschemaTests {
  private func faults(
    _ schema: String, _ registry: SchemaRegistry = SchemaRegistry(),
    dialect: SchemaDialect = .draft2020
  ) throws -> [String] {
    let node = try JSONDocument(parsing: schema).root
    return Schema.faults(in: node, registry: registry, options: SchemaOptions(dialect: dialect))
      .map { "\(node.document.place(at: $0.range.lowerBound)) \($0.instance): \($0.message)" }
  }

  @Test(arguments: SchemaDialect.allCases)
  func `every draft's metaschema fits itself`(dialect: SchemaDialect) throws {
    let schema = try Schema(dialect.metaschema)
    #expect(dialect.metaschema.object?.isEmpty == false)
    #expect(schema.isValid(dialect.metaschema))
    #expect(schema.validate(dialect.metaschema) == [])
    #expect(try faults(dialect.metaschema.text()) == [])
  }

  @Test(arguments: [
    "2019-09/meta/core", "2019-09/meta/applicator", "2019-09/meta/validation",
    "2019-09/meta/meta-data", "2019-09/meta/format", "2019-09/meta/content",
    "2020-12/meta/core", "2020-12/meta/applicator", "2020-12/meta/unevaluated",
    "2020-12/meta/validation", "2020-12/meta/meta-data", "2020-12/meta/format-annotation",
    "2020-12/meta/format-assertion", "2020-12/meta/content",
  ]) func `every part of a metaschema can be referenced`(part: String) throws {
    let schema = try Schema(["$ref": .string("https://json-schema.org/draft/\(part)")])
    #expect(schema.isValid(["title": "x"]))
    #expect(!schema.isValid(5))
  }

  @Test func `a schema's faults are reported with their places and words`() throws {
    let schema = """
      {"type": "integr",
       "properties": {"a": {"minimum": "1"}},
       "$defs": {"never used": {"required": "x"}},
       "allOf": [{"$ref": "#/$defs/b"}, {"pattern": "("}]}
      """
    let found = try faults(schema)
    #expect(found.count == 5)
    #expect(found[0].hasPrefix("1:10 /type: expected"))
    #expect(found[0].contains(#"Did you mean "integer"?"#))
    #expect(
      found[1] == #"2:34 /properties/a/minimum: expected a number, found "1". Remove the quotes."#)
    #expect(found[2].hasPrefix("3:39 /$defs/never used/required: expected an array"))
    #expect(
      found[3].hasPrefix(##"4:21 /allOf/0/$ref: "#/$defs/b" leads nowhere: "#/$defs" has no "b"."##)
    )
    #expect(found[4].hasPrefix("4:47 /allOf/1/pattern: The pattern"))
  }

  @Test func `the metaschema is that of the schema's draft`() throws {
    let draft4 = #""$schema": "http://json-schema.org/draft-04/schema#""#
    #expect(try faults(#"{\#(draft4), "minimum": 1, "exclusiveMinimum": true}"#) == [])
    #expect(try faults(#"{"minimum": 1, "exclusiveMinimum": true}"#).count == 1)
    #expect(
      try faults(#"{"minimum": 1, "exclusiveMinimum": true}"#, .init(), dialect: .draft4) == [])
    #expect(try faults(#"{\#(draft4), "minimum": 1, "exclusiveMinimum": 5}"#).count == 1)
    #expect(try faults(#"{\#(draft4), "required": []}"#).count == 1)
  }

  @Test func `an unknown draft is named`() throws {
    let found = try faults(#"{"$schema": "http://json-schema.org/draft-03/schema#"}"#)
    #expect(found.count == 1)
    #expect(found[0].hasPrefix(#"1:13 /$schema: "$schema" names "http://json-schema.org/draft-03"#))
    #expect(found[0].contains("draft 4, draft 6, draft 7, 2019-09 and 2020-12"))
  }

  @Test func `a misspelled keyword or one of another draft is a warning`() throws {
    let latest = #"{"propertis": {}, "x": 1, "$comment": "", "not": {"id": "a", "MinLength": 3}}"#
    #expect(
      try faults(latest) == [
        #"1:2 : "propertis" is no keyword of 2020-12. Did you mean "properties"?"#,
        #"1:51 /not: "id" means nothing in 2020-12. Its keyword for that is "$id"."#,
        #"1:62 /not: "MinLength" is no keyword of 2020-12. Did you mean "minLength"?"#,
      ])
    let old =
      ##"{"$defs": {"a": {"if": 1}}, "items": {"$ref": "#", "type": "null", "title": "t"}}"##
    #expect(
      try faults(old, .init(), dialect: .draft7) == [
        #"1:2 : "$defs" means nothing in draft 7. Its keyword for that is "definitions"."#,
        #"1:52 /items: "type" has no effect beside "$ref" in draft 7"#,
      ])
    let node = try JSONDocument(parsing: latest).root
    #expect(Schema.faults(in: node).allSatisfy { $0.severity == .warning })
  }

  @Test func `a registered metaschema checks its schemas`() throws {
    var registry = SchemaRegistry()
    registry.register(
      "https://example.org/strict",
      [
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://example.org/strict", "$dynamicAnchor": "meta",
        "$ref": "https://json-schema.org/draft/2020-12/schema", "required": ["title"],
      ])
    let name = #""$schema": "https://example.org/strict""#
    #expect(try faults(#"{\#(name), "title": "x", "minimum": 5}"#, registry) == [])
    #expect(
      try faults(#"{\#(name)}"#, registry).first?.contains(#"missing key "title""#) == true)
  }
}
