import AgentJSON
import JSONSchema
import Testing

/// The standard's output formats (2020-12, core, section 12).
@Suite struct OutputTests {
  /// The example of section 12.4: a polygon of points.
  private static let polygon = """
    {
      "$id": "https://example.com/polygon",
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$defs": {
        "point": {
          "type": "object",
          "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
          "additionalProperties": false,
          "required": ["x", "y"]
        }
      },
      "type": "array",
      "items": {"$ref": "#/$defs/point"},
      "minItems": 3
    }
    """

  private func output(
    _ schema: String, _ format: SchemaOutput, value: String
  ) throws -> JSONValue {
    let schema = try Schema(JSONValue(parsing: schema))
    return schema.output(format, for: try JSONDocument(parsing: value).root)
  }

  private func text(_ value: JSONValue?, _ key: String) -> String? { value?[key]?.string }

  @Test func `flag has only the verdict`() throws {
    #expect(try output(Self.polygon, .flag, value: "[]") == ["valid": false])
    #expect(
      try output(Self.polygon, .flag, value: #"[{"x":1,"y":2},{"x":1,"y":2},{"x":1,"y":2}]"#) == [
        "valid": true
      ])
  }

  @Test func `basic lists the failures of the specification's example`() throws {
    let found = try output(
      Self.polygon, .basic, value: #"[{"x": 2.5, "y": 1.3}, {"x": 1, "z": 6.7}]"#)
    #expect(found["valid"] == false)
    let errors = found["errors"]?.array ?? []
    let places = Set(
      errors.map { "\(text($0, "keywordLocation") ?? "") @ \(text($0, "instanceLocation") ?? "")" })
    #expect(
      places == [
        " @ ", "/items/$ref @ /1", "/items/$ref/required @ /1",
        "/items/$ref/additionalProperties @ /1/z", "/minItems @ ",
      ])
    let required = errors.first { text($0, "keywordLocation") == "/items/$ref/required" }
    #expect(
      text(required, "absoluteKeywordLocation")
        == "https://example.com/polygon#/$defs/point/required")
    #expect(text(required, "error")?.hasPrefix(#"missing key "y""#) == true)
    #expect(errors.allSatisfy { $0["valid"] == false && $0["error"]?.string != nil })
  }

  @Test func `detailed nests the failures of the specification's example`() throws {
    let found = try output(
      Self.polygon, .detailed, value: #"[{"x": 2.5, "y": 1.3}, {"x": 1, "z": 6.7}]"#)
    #expect(found["valid"] == false)
    #expect(text(found, "keywordLocation") == "")
    let errors = found["errors"]?.array ?? []
    #expect(errors.count == 2)
    let point = errors.first { text($0, "instanceLocation") == "/1" }
    #expect(text(point, "keywordLocation") == "/items/$ref")
    #expect(text(point, "absoluteKeywordLocation") == "https://example.com/polygon#/$defs/point")
    #expect(
      Set((point?["errors"]?.array ?? []).compactMap { text($0, "keywordLocation") })
        == ["/items/$ref/required", "/items/$ref/additionalProperties"])
    #expect(errors.contains { text($0, "keywordLocation") == "/minItems" && $0["error"] != nil })
  }

  @Test func `every output has the specified form`() throws {
    // 2020-12, output/schema, written anew.
    let form = try Schema(
      JSONValue(
        parsing: ##"""
          {"type": "object", "required": ["valid"], "$defs": {
            "unit": {"required": ["valid", "keywordLocation", "instanceLocation"],
              "properties": {"valid": {"type": "boolean"},
                "keywordLocation": {"type": "string", "format": "json-pointer"},
                "instanceLocation": {"type": "string", "format": "json-pointer"},
                "absoluteKeywordLocation": {"type": "string", "format": "uri"},
                "error": {"type": "string"}, "annotation": true,
                "errors": {"$ref": "#/$defs/units"}, "annotations": {"$ref": "#/$defs/units"}},
              "additionalProperties": false},
            "units": {"type": "array", "items": {"$ref": "#/$defs/unit"}}},
           "anyOf": [{"required": ["keywordLocation"], "$ref": "#/$defs/unit"},
             {"properties": {"valid": {"type": "boolean"}, "errors": {"$ref": "#/$defs/units"},
               "annotations": {"$ref": "#/$defs/units"}}, "additionalProperties": false}]}
          """##), options: SchemaOptions(formats: .assertion))
    for format in SchemaOutput.allCases {
      for value in ["[]", #"[{"x":1,"y":2},{"x":1,"y":2},{"x":1,"y":2}]"#, #"[{"x":"é","q/~":1}]"#]
      {
        let found = try output(Self.polygon, format, value: value)
        #expect(form.validate(found).map(\.message) == [], "\(format) \(value)")
      }
    }
  }

  @Test func `a valid value's annotations are listed`() throws {
    let schema = #"{"title": "T", "properties": {"a": {"default": 5}}, "x-own": [1]}"#
    let found = try output(schema, .basic, value: #"{"a": 1}"#)
    let annotations = found["annotations"]?.array ?? []
    #expect(found["valid"] == true)
    #expect(
      Dictionary(
        uniqueKeysWithValues: annotations.map {
          (text($0, "keywordLocation") ?? "", $0["annotation"])
        })
        == ["/title": "T", "/properties": ["a"], "/properties/a/default": 5, "/x-own": [1]])
  }

  @Test func `the output and the check agree on unevaluated parts`() throws {
    let schema = """
      {"anyOf": [{"properties": {"a": {"type": "integer"}}, "required": ["b"]},
                 {"properties": {"b": true}}],
       "unevaluatedProperties": false}
      """
    #expect(try output(schema, .basic, value: #"{"b": 1}"#)["valid"] == true)
    let found = try output(schema, .detailed, value: #"{"a": 1}"#)
    #expect(found["valid"] == false)
    #expect(text(found["errors"]?[0], "keywordLocation") == "/unevaluatedProperties")
    #expect(text(found["errors"]?[0], "instanceLocation") == "/a")
  }

  @Test func `a value too deep for the check is a failure in the output too`() throws {
    var value: JSONValue = []
    for _ in 0..<900 { value = [value] }
    let schema = try Schema(["items": ["$ref": "#"]])
    for format in SchemaOutput.allCases {
      #expect(schema.output(format, for: value)["valid"] == false)
    }
  }
}

/// What a schema says of a value without demanding it.
@Suite struct AnnotationTests {
  private func annotations(
    _ schema: String, _ value: String, dialect: SchemaDialect = .draft2020
  ) throws -> [String] {
    let schema = try Schema(JSONValue(parsing: schema), options: SchemaOptions(dialect: dialect))
    return schema.annotations(for: try JSONDocument(parsing: value).root)
      .map { "\($0.instance) \($0.schema) \($0.value)" }
  }

  @Test func `annotations are reported with their places`() throws {
    let schema = """
      {"$ref": "#/$defs/a", "description": "D", "readOnly": false,
       "$defs": {"a": {"title": "A", "examples": [1], "deprecated": true, "$comment": "c"}}}
      """
    #expect(
      Set(try annotations(schema, "5")) == [
        #" /$ref/title "A""#, " /$ref/examples [1]", " /$ref/deprecated true",
        #" /description "D""#, " /readOnly false",
      ])
  }

  @Test func `annotations of failing schemas are left out`() throws {
    #expect(try annotations(#"{"title": "T", "type": "null"}"#, "5") == [])
    let schema =
      #"{"anyOf": [{"title": "A", "type": "null"}, {"title": "B"}], "not": {"title": "C", "type": "null"}}"#
    #expect(try annotations(schema, "5") == [#" /anyOf/1/title "B""#])
    #expect(
      try annotations(
        #"{"if": {"title": "I"}, "then": {"title": "T"}, "else": {"title": "E"}}"#, "5")
        == [#" /if/title "I""#, #" /then/title "T""#])
  }

  @Test func `applicator keywords report what they were applied to`() throws {
    let schema = """
      {"properties": {"a": {}}, "patternProperties": {"^b": {}}, "additionalProperties": {}}
      """
    #expect(
      try annotations(schema, #"{"a": 1, "b1": 2, "b2": 3, "c": 4}"#) == [
        #" /properties ["a"]"#, #" /patternProperties ["b1","b2"]"#,
        #" /additionalProperties ["c"]"#,
      ])
    #expect(
      try annotations(
        #"{"properties": {"a": {}}, "unevaluatedProperties": {}}"#, #"{"a": 1, "c": 4}"#)
        == [#" /properties ["a"]"#, #" /unevaluatedProperties ["c"]"#])
  }

  @Test func `elements are reported by the rules of their draft`() throws {
    let latest = #"{"prefixItems": [{}, {}], "items": {}}"#
    #expect(try annotations(latest, "[1]") == [" /prefixItems true"])
    #expect(try annotations(latest, "[1, 2, 3]") == [" /prefixItems 1", " /items true"])
    #expect(
      try annotations(#"{"contains": {"type": "null"}}"#, "[1, null, null]") == [" /contains [1,2]"]
    )
    #expect(try annotations(#"{"contains": {}}"#, "[1, 2]") == [" /contains true"])
    #expect(
      try annotations(#"{"prefixItems": [{}], "unevaluatedItems": {}}"#, "[1, 2]")
        == [" /prefixItems 0", " /unevaluatedItems true"])
    let lists = #"{"items": [{}], "additionalItems": {}, "contains": {}}"#
    #expect(
      try annotations(lists, "[1, 2]", dialect: .draft2019) == [
        " /items 0", " /additionalItems true",
      ])
    #expect(try annotations(lists, "[1, 2]", dialect: .draft7) == [])
  }

  @Test func `content is reported for strings only, formats for everything`() throws {
    let schema = #"{"contentMediaType": "a/b", "contentEncoding": "base64", "format": "f"}"#
    #expect(try annotations(schema, #""x""#).count == 3)
    #expect(try annotations(schema, "5") == [#" /format "f""#])
  }

  @Test func `unknown keywords are annotations since 2019-09`() throws {
    #expect(try annotations(#"{"x": 1}"#, "5", dialect: .draft2019) == [" /x 1"])
    #expect(try annotations(#"{"x": 1, "title": "T"}"#, "5", dialect: .draft7) == [#" /title "T""#])
    #expect(
      try annotations(
        ##"{"$ref": "#/definitions/a", "title": "T", "definitions": {"a": {"title": "A"}}}"##, "5",
        dialect: .draft7)
        == [#" /$ref/title "A""#])
  }

  @Test func `addresses are those of the reporting schema`() throws {
    var registry = SchemaRegistry()
    registry.register("https://example.org/r", ["$defs": ["a b": ["title": "R"]]])
    let schema = try Schema(
      ["$ref": "https://example.org/r#/$defs/a%20b", "title": "S"], registry: registry)
    let found = schema.annotations(for: 5)
    #expect(found.first { $0.value == "R" }?.address == "https://example.org/r#/$defs/a%20b/title")
    #expect(found.first { $0.value == "S" }?.address == nil)
  }
}
