import AgentJSON
import JSONSchema
import Testing

/// Large values and large schemas: every way to check gives the same answer, also where keys and
/// values are looked up by hash because there are many.
@Suite struct LargeInputTests {
  private static let count = 500

  @Test func `a choice of many values is looked up in a table`() throws {
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

  @Test func `many required and known keys are checked quickly`() throws {
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

  /// Were every rule looked for among all keys, this would be 4 million looks, and more steps than
  /// a check may take.
  @Test func `rules for keys are looked up in a table, however many there are`() throws {
    let count = 2_000
    let keys = (0..<count).map { "k\($0)" }
    let object = JSONValue.object(JSONObject(keys.map { (key: $0, value: 1) }))
    func rules(_ demand: (Int) -> JSONValue) -> JSONValue {
      .object(JSONObject(keys.enumerated().map { (key: $1, value: demand($0)) }))
    }
    let next = rules { [.string(keys[($0 + 1) % count])] }
    let wrong = rules { [.string($0 == 700 ? "none" : keys[0])] }
    let schemas = rules { $0 < 300 ? ["required": [.string(keys[$0])]] : true }
    let long: JSONValue = ["k5": .array(keys.map { .string($0) })]
    for keyword in ["dependentRequired", "dependencies"] {
      for demand in [next, long] {
        expect(try Schema(.object([keyword: demand])), object, fits: true)
      }
      expect(try Schema(.object([keyword: wrong])), object, fits: false)
      #expect(try Schema(.object([keyword: wrong])).validate(object).count == 1)
    }
    for keyword in ["dependentSchemas", "dependencies"] {
      expect(try Schema(.object([keyword: schemas])), object, fits: true)
    }
    let required = try Schema(["required": .array(keys.map { .string($0) })])
    expect(required, object, fits: true)
    expect(required, ["k1": 1], fits: false)
  }

  @Test func `rules of two keywords for one key both count`() throws {
    for count in [1, 20] {
      let others = (0..<count).map { (key: "other\($0)", value: JSONValue.array(["x"])) }
      let required = JSONObject(others + [(key: "é", value: ["a"])])
      let schema = try Schema([
        "dependentRequired": .object(required),
        "dependencies": ["é": ["a", "b"], "f": ["type": "string"]],
        "dependentSchemas": .object(
          JSONObject(others.map { (key: $0.key, value: true) } + [(key: "g", value: false)])),
      ])
      expect(schema, ["é": 1, "a": 1, "b": 1], fits: true)
      expect(schema, ["e\u{301}": 1], fits: true)
      expect(schema, ["é": 1, "a": 1], fits: false)
      expect(schema, ["é": 1, "b": 1], fits: false)
      expect(schema, ["f": 1], fits: false)
      expect(schema, ["g": 1], fits: false)
      expect(schema, ["other0": 1], fits: false)
    }
  }

  @Test func `many misspelled keys beside many known ones are reported`() throws {
    let known = JSONObject((0..<500).map { (key: "property_\($0)", value: true) })
    let object = JSONObject((0..<500).map { (key: "proprety_\($0)", value: 1) })
    let schema = try Schema(["properties": .object(known), "additionalProperties": false])
    let failures = schema.validate(.object(object), limit: 500)
    #expect(failures.count == 500)
    #expect(failures.first?.suggestion == "Did you mean \"property_0\"?")
  }

  /// The square of this would be ten thousand million looks.
  @Test func `a hundred of a hundred thousand wrong keys are reported`() throws {
    let object = JSONObject((0..<100_000).map { (key: "wrong\($0)", value: 1) })
    let schema = try Schema([
      "properties": ["name": ["type": "string"]], "required": ["name"],
      "additionalProperties": false,
    ])
    let failures = schema.validate(.object(object))
    #expect(failures.count == Schema.maxFailures + 1)
    #expect(failures.dropLast().allSatisfy { $0.severity == .error })
    #expect(
      failures.last?.message
        == "these are the first 100 problems; there are more. Correct them, and check again.")
  }

  @Test func `failures are reported despite any number of warnings`() throws {
    let old = JSONObject((0..<300).map { (key: "old\($0)", value: ["deprecated": true]) })
    let known = JSONObject(
      old.map { (key: $0.key, value: $0.value) } + [(key: "z", value: ["type": "integer"])])
    let schema = try Schema(["properties": .object(known)])
    let value = JSONObject(
      old.map { (key: $0.key, value: 1) } + [(key: "z", value: "no number")])
    let failures = schema.validate(.object(value))
    #expect(failures.count { $0.severity == .warning } == Schema.maxFailures)
    #expect(failures.last?.instance.tokens == ["z"] && failures.last?.severity == .error)
  }

  @Test func `a likely branch reports no more than the limit`() throws {
    let items: JSONValue = ["type": "array", "items": ["type": "integer"]]
    let schema = try Schema([
      "properties": ["a": items, "b": ["anyOf": [items, ["type": "object"]]]]
    ])
    let texts = JSONValue.array((0..<90).map { .string("t\($0)") })
    let failures = schema.validate(["a": texts, "b": texts])
    #expect(failures.count <= Schema.maxFailures + 1)
  }

  @Test func `nested branches are explained or given up`() throws {
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
