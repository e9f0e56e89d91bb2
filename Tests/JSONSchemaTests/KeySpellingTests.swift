import AgentJSON
import JSONSchema
import Testing

/// "é" can be written with one scalar and with two; for JSON these are two keys, though Swift's
/// `==` takes them for one.
@Suite struct KeySpellingTests {
  private static let keywords: [JSONValue] = [
    ["properties": ["\u{E9}": true], "additionalProperties": false],
    ["allOf": [["properties": ["\u{E9}": true]]], "unevaluatedProperties": false],
    ["required": ["\u{E9}"]],
    ["enum": [["\u{E9}": 1]]],
    ["propertyNames": ["const": "\u{E9}"]],
    ["oneOf": [["required": ["\u{E9}"]], ["required": ["x"]]]],
  ]

  @Test(arguments: keywords)
  func `a key is known by its code points`(document: JSONValue) throws {
    let schema = try Schema(document)
    for (key, fits) in [("\u{E9}", true), ("e\u{301}", false)] {
      let node = JSONDocument([key: 1]).root
      #expect(schema.isValid(node) == fits)
      #expect(schema.isValid(node, ignoring: { _ in false }) == fits)
      #expect(schema.validate(node).isEmpty == fits)
      for format in SchemaOutput.allCases {
        #expect(schema.output(format, for: node)["valid"] == .bool(fits))
      }
    }
  }
}
