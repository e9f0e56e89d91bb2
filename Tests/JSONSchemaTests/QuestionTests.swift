import AgentJSON
import JSONSchema
import Testing

@Suite struct QuestionTests {
  private let schema = """
    {"$defs": {"limits": {"default": {}, "properties": {
       "memory_mb": {"type": "integer", "default": 256}, "secret": {"writeOnly": true}}}},
     "properties": {
       "name": {"type": "string"},
       "limits": {"$ref": "#/$defs/limits"},
       "ratio": {"type": ["number", "null"], "default": 0.5},
       "level": {"enum": ["low", 3]},
       "room": {"oneOf": [{"type": "string"}, {"type": "object",
         "properties": {"id": {"type": "integer", "default": 1}, "token": {"writeOnly": true}}}]},
       "steps": {"type": "array", "items": {"properties": {"wait": {"default": 5}}}}},
     "additionalProperties": {"type": "boolean"},
     "if": {"properties": {"name": {"const": "a"}}, "required": ["name"]},
     "then": {"properties": {"extra": {"default": "x", "type": "boolean"}}}}
    """

  private func compiled() throws -> Schema { try Schema(JSONValue(parsing: schema)) }

  @Test func `defaults are filled in wherever their object exists`() throws {
    let filled = try compiled().defaults(for: [
      "room": ["token": "t"], "steps": [[:], ["wait": 1]],
    ])
    #expect(
      filled == [
        "room": ["token": "t", "id": 1], "steps": [["wait": 5], ["wait": 1]],
        "limits": ["memory_mb": 256], "ratio": 0.5,
      ])
  }

  @Test func `a condition's defaults count only when it holds`() throws {
    #expect(try compiled().defaults(for: ["name": "a"])["extra"] == "x")
    #expect(try compiled().defaults(for: ["name": "b"])["extra"] == nil)
  }

  @Test func `a default that contains itself ends`() throws {
    let schema = try Schema([
      "properties": ["a": ["$ref": "#", "default": [:]], "b": ["$ref": "#"]]
    ])
    #expect(schema.defaults(for: ["b": [:]]) == ["a": [:], "b": ["a": [:]]])
  }

  struct Place: Sendable {
    let pointer: String
    let kinds: Set<JSONKind>
    var takesInteger = false
    var takesFraction = false
  }

  @Test(arguments: [
    Place(pointer: "/name", kinds: [.string]),
    Place(pointer: "/limits/memory_mb", kinds: [.number], takesInteger: true),
    Place(pointer: "/ratio", kinds: [.number, .null], takesInteger: true, takesFraction: true),
    Place(pointer: "/level", kinds: [.string, .number], takesInteger: true),
    Place(pointer: "/room", kinds: [.string, .object]),
    Place(pointer: "/room/id", kinds: [.number], takesInteger: true),
    Place(pointer: "/other", kinds: [.bool]),
    Place(
      pointer: "/steps/0/wait", kinds: Set(JSONKind.allCases), takesInteger: true,
      takesFraction: true),
  ]) func `the kinds that a place permits are known`(place: Place) throws {
    let schema = try compiled()
    let pointer = try JSONPointer(place.pointer)
    #expect(schema.kinds(at: pointer) == place.kinds)
    #expect(schema.acceptsInteger(at: pointer) == place.takesInteger)
    #expect(schema.acceptsFraction(at: pointer) == place.takesFraction)
  }

  @Test func `only the branch of a condition that the given value takes counts`() throws {
    let schema = try Schema(
      JSONValue(
        parsing: """
          {"if": {"properties": {"type": {"const": "n"}}},
           "then": {"properties": {"v": {"type": "integer"}}},
           "else": {"properties": {"v": {"type": "string"}}}}
          """))
    let pointer = JSONPointer(tokens: ["v"])
    #expect(schema.kinds(at: pointer) == [.string, .number])
    let instance = JSONDocument(["type": "n", "v": "${env:V}"]).root
    #expect(schema.kinds(at: pointer, in: instance) == [.number])
  }

  @Test func `marked places are found through references and branches`() throws {
    let value: JSONValue = [
      "room": ["token": "t"], "limits": ["secret": "s", "memory_mb": 1], "name": "b",
    ]
    let found = try compiled().pointers(marked: "writeOnly", in: JSONDocument(value).root)
    #expect(found.map(\.description) == ["/room/token", "/limits/secret"])
  }
}
