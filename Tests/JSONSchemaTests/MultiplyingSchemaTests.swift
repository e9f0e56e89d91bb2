import AgentJSON
import JSONSchema
import Testing

/// Schemas that multiply themselves: thirty levels, each of which asks the next one twice, so that
/// the last one is reached a thousand million times.
@Suite struct MultiplyingSchemaTests {
  private static let incomplete = "incomplete"

  private func schema(_ keyword: String, _ last: JSONValue) throws -> Schema {
    var parts = JSONObject()
    for level in 0..<30 {
      let next: JSONValue = ["$ref": .string("#/$defs/\(level + 1)")]
      parts["\(level)"] = .object([keyword: [next, next]])
    }
    parts["30"] = last
    return try Schema(["$ref": "#/$defs/0", "$defs": .object(parts)])
  }

  @Test func `a yes or no is correct and visits each schema once`() throws {
    let integer = try schema("allOf", ["title": "T", "type": "integer"])
    #expect(integer.isValid(5) && !integer.isValid("5"))
    let node = JSONDocument(5).root
    #expect(integer.isValid(node, ignoring: { _ in false }))
    let any = try schema("anyOf", ["type": "integer"])
    #expect(any.isValid(5) && !any.isValid("5"))
    // Two branches that fit are one too many, at every level.
    let one = try schema("oneOf", ["type": "integer"])
    #expect(!one.isValid(5) && !one.isValid("5"))
    let deep = try Schema(["items": ["allOf": [["$ref": "#"], ["$ref": "#"]]]])
    #expect(deep.isValid((0..<60).reduce(into: JSONValue(1)) { value, _ in value = [value] }))
  }

  @Test func `a check whose answers depend on the path to a schema ends as a failure`() throws {
    var parts: JSONObject = ["last": ["$dynamicAnchor": "last", "type": "integer"]]
    for level in 0..<30 {
      let next: JSONValue =
        level == 29 ? ["$dynamicRef": "#last"] : ["$ref": .string("#/$defs/\(level + 1)")]
      parts["\(level)"] = ["allOf": [next, next]]
    }
    let schema = try Schema(["$ref": "#/$defs/0", "$defs": .object(parts)])
    #expect(!schema.isValid(5))
    let failures = schema.validate(5, limit: .max)
    #expect(failures.count == 1 && failures[0].message.contains("too many steps"), "\(failures)")
    #expect(schema.output(.basic, for: 5)["valid"] == false)
  }

  @Test func `cut failures end with a note that they are incomplete`() throws {
    for keyword in ["allOf", "anyOf", "oneOf"] {
      let failures = try schema(keyword, ["type": "string"]).validate(5, limit: .max)
      #expect(!failures.isEmpty)
      let words = failures.filter { $0.message.contains(Self.incomplete) }
      #expect(words.count == 1 && words.first?.severity == .error, "\(failures)")
      #expect(failures.count < 10)
    }
    // Each member is compared with each known key, at every turn.
    let known = JSONObject((0..<50).map { (key: "membr\($0)", value: true) })
    let object = JSONObject((0..<100).map { (key: "member\($0)", value: 1) })
    let keys = try schema(
      "allOf", ["properties": .object(known), "additionalProperties": false]
    ).validate(.object(object), limit: .max)
    #expect(keys.count > 100 && keys.count { $0.message.contains(Self.incomplete) } == 1)
    let some = try schema("allOf", ["type": "string"]).validate(5, limit: .max)
    #expect(some.contains { $0.message.hasPrefix("expected a string, found 5") })
  }

  @Test func `a valid value has no failure, only fewer warnings`() throws {
    let old = try schema("allOf", ["deprecated": true]).validate(5, limit: .max)
    #expect(old.allSatisfy { $0.severity == .warning })
    #expect(old.contains { $0.keyword == "deprecated" })
    #expect(old.contains { $0.message.contains(Self.incomplete) })
  }

  @Test func `the standard output is marked as incomplete beside the correct verdict`() throws {
    let schema = try schema("allOf", ["title": "T", "type": "integer"])
    for (value, fits) in [(JSONValue(5), true), ("5", false)] {
      #expect(schema.output(.flag, for: value) == ["valid": .bool(fits)])
      for format in [SchemaOutput.basic, .detailed, .verbose] {
        let output = schema.output(format, for: value)
        #expect(output["valid"] == .bool(fits))
        #expect(output["incomplete"]?.string?.contains(Self.incomplete) == true)
      }
    }
    let errors = schema.output(.basic, for: "5")["errors"]?.array ?? []
    #expect(errors.count < 20_000)
    #expect(errors.contains { $0["error"]?.string?.hasPrefix("expected an integer") == true })
    let annotations = schema.output(.basic, for: 5)["annotations"]?.array ?? []
    #expect(annotations.contains { $0["annotation"] == "T" })
    #expect(!schema.annotations(for: 5).isEmpty)
  }

  @Test func `an incomplete output contains nothing false`() throws {
    // A check that didn't end is neither a failure nor a success.
    for keyword in ["not", "anyOf", "oneOf", "if", "propertyNames"] {
      let heavy: JSONValue = ["$ref": "#/$defs/0"]
      var parts = JSONObject()
      for level in 0..<30 {
        let next: JSONValue = ["$ref": .string("#/$defs/\(level + 1)")]
        parts["\(level)"] = ["allOf": [next, next]]
      }
      parts["30"] = true
      let isList = keyword == "anyOf" || keyword == "oneOf"
      let document: JSONValue = [
        "$defs": .object(parts), "properties": ["a": ["type": "string"]],
        "allOf": [.object([keyword: isList ? [heavy, false] : heavy])],
      ]
      let schema = try Schema(document)
      let output = schema.output(.basic, for: ["a": 1])
      let said = (output["errors"]?.array ?? []).compactMap { $0["keywordLocation"]?.string }
      #expect(output["valid"] == false)
      #expect(
        said.allSatisfy { $0 == "" || $0.hasPrefix("/properties") }, "\(keyword): \(said.prefix(5))"
      )
    }
  }

  @Test func `large values are reported completely`() throws {
    let schema = try Schema([
      "items": [
        "allOf": .array((0..<10).map { ["$ref": .string("#/$defs/\($0)")] }),
        "type": "integer",
      ],
      "$defs": .object(JSONObject((0..<10).map { (key: "\($0)", value: ["minimum": 0]) })),
    ])
    let values = JSONValue.array((0..<3_000).map { _ in "x" })
    let failures = schema.validate(values, limit: .max)
    #expect(failures.count == 3_000)
    let output = schema.output(.verbose, for: values)
    #expect(output["incomplete"] == nil && output["valid"] == false)
  }
}
