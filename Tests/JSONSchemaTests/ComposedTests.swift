import AgentJSON
import JSONSchema
import Testing

/// A schema composed as settings compose it: entries whose type chooses their other keys.
@Suite struct ComposedTests {
  private let schema = """
    {"$defs": {
       "monitor": {"properties": {
         "window_duration": {"type": "integer", "minimum": 1, "description": "seconds to look back"},
         "field": {"type": "string"}}, "required": ["window_duration"]},
       "source": {"properties": {"interval_ms": {"type": "integer"}}}},
     "type": "object",
     "properties": {"processes": {"type": "object", "additionalProperties": {
       "type": "object",
       "properties": {"type": {"enum": ["monitor", "source"]}, "enabled": {"type": "boolean"}},
       "required": ["type"],
       "allOf": [
         {"if": {"properties": {"type": {"const": "monitor"}}, "required": ["type"]},
          "then": {"$ref": "#/$defs/monitor"}},
         {"if": {"properties": {"type": {"const": "source"}}, "required": ["type"]},
          "then": {"$ref": "#/$defs/source"}}],
       "unevaluatedProperties": false}}},
     "additionalProperties": false}
    """

  @Test func `every failure of every entry is reported, each by its own type`() throws {
    let settings = """
      {"processes": {
         "a": {"type": "monitor", "window_duration": "60s", "enabled": "yes"},
         "b": {"type": "monitor", "fild": "x"},
         "c": {"type": "source", "interval_ms": "5s", "field": "x"},
         "d": {"type": "monitr", "window_duration": 5},
         "e": {"window_duration": 5}},
       "proceses": {}}
      """
    #expect(
      try messages(schema, settings) == [
        #"processes.a.window_duration: expected an integer, found "60s". Write 60; the unit is seconds."#,
        #"processes.a.enabled: expected true or false, found "yes". Write true."#,
        #"processes.b: missing key "window_duration" (seconds to look back). Add it with an integer."#,
        #"processes.b: unknown key "fild". Did you mean "field"?"#,
        #"processes.c.interval_ms: expected an integer, found "5s". Write 5000; the unit is milliseconds."#,
        #"processes.c: unknown key "field". Known here: "type", "enabled" and "interval_ms"."#,
        #"processes.d.type: expected "monitor" or "source", found "monitr". Did you mean "monitor"?"#,
        #"processes.e: missing key "type". Add it with "monitor" or "source"."#,
        #"unknown key "proceses". "processes" is there already."#,
      ])
  }

  @Test func `one schema checks values on many threads at once`() async throws {
    let schema = try Schema(JSONValue(parsing: schema))
    let document = try JSONDocument(parsing: #"{"processes":{"a":{"type":"source","x":1}}}"#)
    let counts = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<32 { group.addTask { schema.validate(document.root).count } }
      return await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 1, count: 32))
  }
}
