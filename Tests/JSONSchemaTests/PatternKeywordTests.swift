import AgentJSON
import JSONSchema
import Testing

@Suite struct PatternKeywordTests {
  /// No automaton can match this, and trying all ways would take longer than anybody waits.
  private static let endless = "^(a*)*(a*)*(a*)*(a*)*b\\1$"

  @Test func `a pattern that takes too many steps is given up with a message`() throws {
    let schema = try Schema(["properties": ["name": ["pattern": .string(Self.endless)]]])
    let text = String(repeating: "a", count: 60)
    let document = JSONDocument(["name": .string(text)])
    let failures = schema.validate(document.root)
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("the pattern took too many steps") == true)
    #expect(!schema.isValid(document.root))
  }

  @Test(arguments: [
    JSONValue.object(["not": ["pattern": .string(endless)]]),
    ["if": ["pattern": .string(endless)], "then": false],
    ["patternProperties": [endless: false]],
  ]) func `a match that was given up is not valid under any keyword`(value: JSONValue) throws {
    let schema = try Schema(value)
    let text = String(repeating: "a", count: 60)
    let isOfKeys = value["patternProperties"] != nil
    let document = JSONDocument(isOfKeys ? .object([text: 1]) : .string(text))
    #expect(!schema.isValid(document.root))
    #expect(!schema.validate(document.root).isEmpty)
    #expect(schema.isValid(isOfKeys ? ["c": 1] : "c"))
  }

  @Test func `a malformed pattern is refused with its place`() throws {
    let error = #expect(throws: SchemaError.self) {
      try Schema(["properties": ["name": ["pattern": "ab(c"]]])
    }
    #expect(error?.code == .malformedPattern)
    #expect(error?.pointer.description == "/properties/name/pattern")
    #expect(error?.message.contains("The group opened at position 3 isn't closed.") == true)
  }

  @Test func `a text with escapes is matched by its value`() throws {
    let schema = try Schema(["pattern": "^é\n$"])
    #expect(schema.isValid(try JSONDocument(parsing: #""\u00e9\n""#).root))
    #expect(!schema.isValid(try JSONDocument(parsing: #""\\u00e9\n""#).root))
  }
}
