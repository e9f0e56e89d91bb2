import AgentJSON
import JSONSchema
import Testing

/// Large values and large schemas: every way to check gives the same answer, also where keys and
/// values are looked up by hash because there are many.
@Suite struct LargeInputTests {
  private static let count = 500

  @Test func `a choice of many values is looked up`() throws {
    for makes in [{ JSONValue("v\($0)") }, { JSONValue($0) }, { ["a": JSONValue($0)] }]
      as [(Int) -> JSONValue]
    {
      let values = (0..<Self.count).map(makes)
      let schema = try Schema(["items": ["enum": .array(values)]])
      expect(schema, .array(values), fits: true)
      expect(schema, .array([makes(Self.count)]), fits: false)
    }
  }

  @Test func `numbers of a long choice are compared by value`() throws {
    let schema = try Schema(["enum": .array((0..<100).map { JSONValue($0) })])
    for text in ["7.0", "70e-1", "0.7e1"] {
      expect(schema, try JSONValue(parsing: text), fits: true)
    }
    expect(schema, "7", fits: false)
  }

  @Test func `many keys are demanded, known and looked at`() throws {
    let keys = (0..<Self.count).map { "k\($0)" }
    let object = JSONObject(keys.map { (key: $0, value: 1) })
    let known = JSONObject(keys.map { (key: $0, value: ["type": "integer"]) })
    let value = JSONValue.object(object)
    let demands: [JSONValue] = [
      ["properties": .object(known), "required": .array(keys.map { .string($0) })],
      ["patternProperties": ["^k": ["type": "integer"]], "additionalProperties": false],
      ["allOf": [["properties": .object(known)]], "unevaluatedProperties": false],
      ["const": value],
    ]
    for demand in demands { expect(try Schema(demand), value, fits: true) }
    expect(try Schema(demands[0]), .object(JSONObject(object.members(without: "k77"))), fits: false)
  }

  @Test func `many misspelt keys beside many known ones are told`() throws {
    let known = JSONObject((0..<500).map { (key: "property_\($0)", value: true) })
    let object = JSONObject((0..<500).map { (key: "proprety_\($0)", value: 1) })
    let schema = try Schema(["properties": .object(known), "additionalProperties": false])
    let failures = schema.validate(.object(object))
    #expect(failures.count == 500)
    #expect(failures.first?.suggestion == "Did you mean \"property_0\"?")
  }

  @Test func `branches in branches are explained, or given up`() throws {
    let branches: [JSONValue] = ["x", "y"].map {
      ["type": "object", "properties": ["a": ["$ref": "#"]], "required": [.string($0)]]
    }
    let schema = try Schema(["anyOf": .array(branches)])
    let value = (0..<40).reduce(into: JSONValue(1)) { value, _ in value = ["a": value] }
    #expect(schema.validate(value).contains { $0.severity == .error })
  }

  private func expect(_ schema: Schema, _ value: JSONValue, fits: Bool) {
    let node = JSONDocument(value).root
    #expect(schema.isValid(node) == fits)
    #expect(schema.isValid(node, ignoring: { _ in false }) == fits)
    #expect(schema.validate(node, ignoring: { _ in false }).isEmpty == fits)
    #expect(schema.output(.basic, for: node)["valid"] == .bool(fits))
  }
}

extension JSONObject {
  fileprivate func members(without key: String) -> [(key: String, value: JSONValue)] {
    zip(keys, values).filter { $0.0 != key }.map { (key: $0, value: $1) }
  }
}
