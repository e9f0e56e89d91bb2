import AgentJSON
import Testing

@Suite struct JSONObjectFieldTests {
  private let object: JSONObject = [
    "a": 1, "b": ["c": ["d": 2], "": 3], "b.e": 4, "b.c": ["x": 5], "list": [["y": 6]],
  ]

  @Test(
    arguments: [
      ("a", 1), ("b.c.d", 2), ("b.", 3), ("b.e", 4),
    ] as [(String, JSONValue)])
  func `dots in a path lead into nested objects`(path: String, value: JSONValue) {
    #expect(object.field(path) == value)
  }

  @Test func `a member whose own name has the dots comes first`() {
    #expect(object.field("b.c") == ["x": 5])
  }

  @Test(arguments: ["", ".", "z", "a.b", "b.c.d.e", "list.y", "b..c"])
  func `a path that doesn't exist yields nil`(path: String) {
    #expect(object.field(path) == nil)
  }
}
