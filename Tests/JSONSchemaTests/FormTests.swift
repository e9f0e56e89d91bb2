import AgentJSON
import JSONSchema
import Testing

@Suite struct FormTests {
  private func form(_ schema: String) throws -> FormField {
    try Schema(JSONValue(parsing: schema)).form.root
  }

  private func only(_ schema: String, _ key: String = "a") throws -> FormField {
    let form = try form(#"{"type":"object","properties":{"\#(key)":\#(schema)}}"#)
    return try #require(form.fields.first)
  }

  @Test(arguments: [
    (#"{"type":"string"}"#, FormField.Kind.text), (#"{"type":"integer"}"#, .integer),
    (#"{"type":"number"}"#, .number), (#"{"type":"boolean"}"#, .toggle),
    (#"{"enum":["a","b"]}"#, .select), (#"{"const":"a"}"#, .select),
    (#"{"type":"string","writeOnly":true}"#, .password),
    (#"{"type":"string","format":"password"}"#, .password),
    (#"{"type":"array","items":{"type":"string"}}"#, .list),
    (#"{"type":"object","properties":{"b":{}}}"#, .group), (#"{"type":"object"}"#, .map),
    (#"{"properties":{"b":{}}}"#, .group),
    (#"{"type":"object","additionalProperties":{"type":"string"}}"#, .map),
    (#"{"oneOf":[{"const":1,"title":"One"},{"const":2,"title":"Two"}]}"#, .select),
    (#"{"anyOf":[{"type":"string"},{"type":"integer"}]}"#, .choice),
    (#"{"type":["integer","string"]}"#, .text), (#"{"anyOf":[{"required":["b"]}]}"#, .json),
    (#"{"enum":[true,false]}"#, .toggle), ("{}", .json), ("true", .json),
    (#"{"$schema":"http://json-schema.org/draft-04/schema#","type":"integer"}"#, .integer),
  ]) func `each schema has its kind of input`(schema: String, kind: FormField.Kind) throws {
    #expect(try only(schema).kind == kind)
  }

  @Test func `a schema's annotations are carried over to the field`() throws {
    let field = try only(
      """
      {"type": "integer", "title": "Retries", "description": "How often.", "default": 3,
       "examples": [5], "minimum": 0, "exclusiveMaximum": 10, "multipleOf": 1,
       "deprecated": true, "readOnly": true}
      """)
    #expect(field.label == "Retries" && field.help == "How often.")
    #expect(field.defaultValue == 3 && field.examples == [5] && field.placeholder == "5")
    #expect(field.limits.minimum == 0 && !field.limits.excludesMinimum)
    #expect(field.limits.maximum == 10 && field.limits.excludesMaximum)
    #expect(field.limits.step == 1 && field.isDeprecated && field.isReadOnly)
  }

  @Test func `texts and lists have sizes, patterns and formats`() throws {
    let text = try only(
      #"{"type":"string","minLength":2,"maxLength":9,"pattern":"^a","format":"email"}"#)
    #expect(text.limits.minimumCount == 2 && text.limits.maxCount == 9)
    #expect(text.pattern == "^a" && text.format == "email")
    let list = try only(#"{"type":"array","minItems":1,"uniqueItems":true,"items":{"enum":["x"]}}"#)
    #expect(list.limits.minimumCount == 1 && list.limits.isUnique)
    #expect(list.element.first?.kind == .select)
    #expect(list.element.first?.pointer.description == "/a/-")
  }

  @Test func `a key in words is the label, and its unit is separate`() throws {
    let field = try only(#"{"type":"integer"}"#, "check_interval_ms")
    #expect(field.label == "Check interval" && field.unit == "milliseconds")
    #expect(try only(#"{"type":"string"}"#, "userName").label == "User name")
    #expect(try only(#"{"type":"number","description":"Seconds."}"#, "within").unit == "seconds")
    #expect(try only(#"{"type":"integer","description":"Starts within 60 seconds."}"#).unit == nil)
  }

  @Test func `fields are in the schema's order, with required ones marked`() throws {
    let form = try form(
      """
      {"type": "object", "required": ["z"], "properties": {"z": {"type": "string"}, "a": {}},
       "allOf": [{"properties": {"m": {"type": "boolean"}}, "required": ["m"]}]}
      """)
    #expect(form.fields.map(\.key) == ["z", "a", "m"])
    #expect(form.fields.map(\.isRequired) == [true, false, true])
    #expect(form.fields.map(\.pointer.description) == ["/z", "/a", "/m"])
  }

  @Test func `references are resolved, and the words beside them count`() throws {
    let form = try form(
      """
      {"properties": {"port": {"$ref": "#/$defs/port", "description": "Where it listens."}},
       "$defs": {"port": {"title": "Port", "type": "integer", "maximum": 65535,
                          "description": "A port."}}}
      """)
    let port = try #require(form.fields.first)
    #expect(port.kind == .integer && port.label == "Port" && port.limits.maximum == 65535)
    #expect(port.help == "Where it listens.")
  }

  @Test func `null beside one other type makes that type optional`() throws {
    for schema in [
      #"{"type":["integer","null"]}"#, #"{"anyOf":[{"type":"null"},{"type":"integer"}]}"#,
    ] {
      let field = try only(schema)
      #expect(field.kind == .integer && field.isNullable, "\(schema)")
    }
    let group = try only(#"{"oneOf":[{"type":"null"},{"type":"object","properties":{"b":{}}}]}"#)
    #expect(group.kind == .group && group.isNullable && group.fields.map(\.key) == ["b"])
  }

  @Test func `a recursive schema ends in a reference`() throws {
    let form = try form(
      """
      {"$defs": {"node": {"type": "object", "properties": {"name": {"type": "string"},
         "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}}}},
       "properties": {"tree": {"$ref": "#/$defs/node"}}}
      """)
    let tree = try #require(form.fields.first)
    let child = try #require(tree.fields.last?.element.first)
    #expect(child.pointer.description == "/tree/children/-")
    #expect(child.sameAs?.description == "/tree" && child.fields.isEmpty)
  }

  @Test func `a multiplying schema ends as well`() throws {
    var definitions = JSONObject()
    for level in 0..<40 {
      let next: JSONValue = ["$ref": .string("#/$defs/l\(level + 1)")]
      definitions["l\(level)"] = [
        "type": "object", "properties": ["a": next, "b": next, "c": next],
      ]
    }
    definitions["l40"] = ["type": "string"]
    let schema: JSONValue = ["$ref": "#/$defs/l0", "$defs": .object(definitions)]
    let text = try Schema(schema).form.json.text()
    #expect(text.utf8.count < 10_000_000)
  }
}

@Suite struct FormChoiceTests {
  private func form(_ schema: String) throws -> FormField {
    try Schema(JSONValue(parsing: schema)).form.root
  }

  @Test func `branches have labels, their discriminator and their own fields`() throws {
    let form = try form(
      """
      {"type": "object", "properties": {"name": {"type": "string"}},
       "oneOf": [
         {"title": "E-mail", "properties": {"type": {"const": "email"}, "to": {"type": "string"}},
          "required": ["type", "to"]},
         {"properties": {"type": {"const": "web_hook"}, "url": {"type": "string"}},
          "required": ["type", "url"]}]}
      """)
    #expect(form.kind == .choice && form.discriminator == "type")
    #expect(form.fields.map(\.key) == ["name"])
    #expect(form.branches.map(\.label) == ["E-mail", "Web hook"])
    #expect(form.branches.map(\.value) == ["email", "web_hook"])
    #expect(form.branches.map { $0.field.fields.map(\.key) } == [["to"], ["url"]])
    #expect(form.branches[0].field.fields[0].isRequired)
  }

  @Test func `branches of plain types are named by their types`() throws {
    let form = try form(
      #"{"anyOf":[{"type":"string"},{"type":"integer","minimum":1},{"type":"null"}]}"#)
    #expect(form.branches.map(\.label) == ["Text", "Number"])
    #expect(form.branches.map(\.field.kind) == [.text, .integer])
    #expect(form.isNullable)
  }

  @Test func `options have the titles of constants`() throws {
    let form = try form(
      #"{"oneOf":[{"const":1,"title":"One","description":"The least."},{"const":2,"title":"Two"}]}"#
    )
    #expect(form.options.map(\.label) == ["One", "Two"])
    #expect(form.options.map(\.value) == [1, 2])
    #expect(form.options.map(\.help) == ["The least.", nil])
  }

  @Test func `fields that an if adds have a condition`() throws {
    let form = try form(
      """
      {"type": "object", "properties": {"type": {"enum": ["file", "socket"]}},
       "if": {"properties": {"type": {"const": "file"}}},
       "then": {"properties": {"path": {"type": "string"}}, "required": ["path"]},
       "else": {"properties": {"port": {"type": "integer"}}}}
      """)
    #expect(form.fields.map(\.key) == ["type", "path", "port"])
    #expect(form.fields[0].condition == nil && form.fields[1].isRequired)
    let conditions = form.fields.dropFirst().compactMap(\.condition)
    #expect(conditions.map(\.key) == ["type", "type"])
    #expect(conditions.map(\.values) == [["file"], ["file"]])
    #expect(conditions.map(\.isNegated) == [false, true])
  }

  @Test func `a form's JSON has its members and no others`() throws {
    let schema = """
      {"type": "object", "required": ["wait_seconds"], "properties": {
        "wait_seconds": {"type": "integer", "minimum": 1, "default": 5, "description": "How long."},
        "level": {"enum": ["low", "high"]}}}
      """
    let json = try Schema(JSONValue(parsing: schema)).form.json
    #expect(
      try json
        == JSONValue(
          parsing: """
            {"pointer": "", "label": "", "kind": "group", "fields": [
              {"pointer": "/wait_seconds", "key": "wait_seconds", "label": "Wait",
               "help": "How long.", "kind": "integer", "required": true, "default": 5,
               "placeholder": "5", "minimum": 1, "step": 1, "unit": "seconds"},
              {"pointer": "/level", "key": "level", "label": "Level", "kind": "select", "options": [
                {"value": "low", "label": "Low"}, {"value": "high", "label": "High"}]}]}
            """))
  }
}
