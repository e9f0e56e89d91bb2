import AgentJSON
import Testing

@Suite struct JSONEditingTests {
  @Test func `a changed value leaves every other byte`() throws {
    let text = "{\r\n\t\"a\" :1 ,\n  \"b\":[ 1,2 ],\"c\"  : \"x\" }\n\n"
    #expect(try set("/a", 2, in: text) == text.replacing(" :1", with: " :2"))
    #expect(try set("/b/1", "two", in: text) == text.replacing("2 ]", with: "\"two\" ]"))
    #expect(try set("/c", .null, in: text) == text.replacing("\"x\"", with: "null"))
    #expect(try set("/c", "x", in: text) == text)
  }

  @Test func `an added member is written as its siblings are`() throws {
    #expect(try set("/c", 3, in: #"{"a": 1, "b": 2}"#) == #"{"a": 1, "b": 2, "c": 3}"#)
    #expect(try set("/c", 3, in: #"{"a":1,"b":2}"#) == #"{"a":1,"b":2,"c":3}"#)
    #expect(try set("/b", 2, in: #"{ "a" : 1 }"#) == #"{ "a" : 1, "b" : 2 }"#)
    #expect(try set("/b", 2, in: #"{"a":1}"#) == #"{"a":1,"b":2}"#)
    #expect(try set("/b", 2, in: "{\n    \"a\": 1\n}") == "{\n    \"a\": 1,\n    \"b\": 2\n}")
    #expect(try set("/b", 2, in: "{\r\n\t\"a\":1\r\n}") == "{\r\n\t\"a\":1,\r\n\t\"b\":2\r\n}")
    #expect(
      try set("/c", 3, in: "{ \"a\": 1\n, \"b\": 2\n}\n")
        == "{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}\n")
    #expect(
      try set("/d", 4, in: "{\n  \"a\": 1,\n  \"b\": 2,\n\n  \"c\": 3\n}")
        == "{\n  \"a\": 1,\n  \"b\": 2,\n\n  \"c\": 3,\n  \"d\": 4\n}")
  }

  @Test func `an appended element is written as its siblings are`() throws {
    #expect(try set("/-", "c", in: #"["a", "b"]"#) == #"["a", "b", "c"]"#)
    #expect(try set("/1", 2, in: "[\n 1\n]") == "[\n 1,\n 2\n]")
    #expect(try set("/0", 1, in: "[]") == "[1]")
    #expect(try set("/a/-", 1, in: "{\n  \"a\": []\n}") == "{\n  \"a\": [\n    1\n  ]\n}")
    #expect(
      try set("/a/-", 1, in: "{\n  \"a\": [],\n  \"b\": [2]\n}")
        == "{\n  \"a\": [1],\n  \"b\": [2]\n}")
  }

  static let settings = """
    {
        "enabled_modules": ["system"],
        "processes": {
            "cpu": {
                "type": "host_metrics",
                "fields": ["cpu", "load"]
            }
        },
        "modules": {}
    }

    """

  @Test func `an added object is written as the one beside it`() throws {
    let added: JSONValue = ["type": "t", "fields": ["a"], "none": [:]]
    let expected = Self.settings.replacing(
      "        }\n    },",
      with: """
                },
                "disk": {
                    "type": "t",
                    "fields": ["a"],
                    "none": {}
                }
            },
        """)
    #expect(try set("/processes/disk", added, in: Self.settings) == expected)
    #expect(try remove("/processes/disk", in: expected) == Self.settings)
  }

  @Test func `missing objects on the path are created`() throws {
    #expect(
      try set("/modules/system/isolation", "host", in: Self.settings)
        == Self.settings.replacing(
          "\"modules\": {}",
          with: """
            "modules": {
                    "system": {
                        "isolation": "host"
                    }
                }
            """))
    #expect(try set("/a/b", 1, in: "{}") == #"{"a": {"b": 1}}"#)
    #expect(try set("/a", 1, in: "{}\n") == "{\n  \"a\": 1\n}\n")
  }

  @Test func `an object set over an object changes only where they differ`() throws {
    let text = "{\n  \"a\": { \"x\":1,   \"y\":[1,2 , 3] },\n  \"b\": 0\n}"
    #expect(
      try set("/a", ["x": 1, "y": [1, 5], "z": true], in: text)
        == "{\n  \"a\": { \"x\":1,   \"y\":[1,5],   \"z\":true },\n  \"b\": 0\n}")
    #expect(try set("/a", ["x": 1, "y": [1, 2, 3]], in: text) == text)
    #expect(try set("/a", [:], in: text) == "{\n  \"a\": {},\n  \"b\": 0\n}")
    #expect(try set("", [1], in: " {} ") == " [1] ")
    #expect(try set("", [1, 3], in: "[1, 2,\n 3]") == "[1, 3]")
    #expect(
      try set("", [1, ["a": 2]], in: "[1,\n {\"a\":0},\n {\"a\": 2}]") == "[1,\n {\"a\": 2}]")
    #expect(try set("", [9, 2, 3, 4], in: "[1, 2, 3]") == "[9, 2, 3, 4]")
  }

  @Test func `a removed member takes its comma along`() throws {
    let text = "{\n  \"a\": 1,\n  \"b\": 2,\n\n  \"c\": 3\n}"
    #expect(try remove("/a", in: text) == "{\n  \"b\": 2,\n\n  \"c\": 3\n}")
    #expect(try remove("/b", in: text) == "{\n  \"a\": 1,\n  \"c\": 3\n}")
    #expect(try remove("/c", in: text) == "{\n  \"a\": 1,\n  \"b\": 2\n}")
    #expect(try remove("/a", in: "{ \"a\": 1 }\n") == "{}\n")
    #expect(try remove("/1", in: "[1, 2, 3]") == "[1, 3]")
    #expect(try remove("/2", in: "[1 , 2 , 3 ]") == "[1 , 2 ]")
    #expect(
      try remove("/b", in: "{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}") == "{ \"a\": 1\n, \"c\": 3\n}")
  }

  @Test func `an edit that can't be made is refused with a reason`() {
    #expect(code { try set("/a/b", 1, in: #"{"a": 5}"#) } == .notAContainer)
    #expect(code { try set("/a/2", 1, in: #"{"a": [1]}"#) } == .badIndex)
    #expect(code { try set("/a/x", 1, in: #"{"a": [1]}"#) } == .badIndex)
    #expect(code { try remove("/b", in: #"{"a": 5}"#) } == .notFound)
    #expect(code { try remove("/a/0/b", in: #"{"a": 5}"#) } == .notFound)
    #expect(code { try remove("", in: "{}") } == .rootRemoval)
    let path = String(repeating: "/a", count: 65)
    #expect(code { try set(path, 1, in: "{}") } == .limit)
  }

  @Test func `a random document has the requested values after every edit`() throws {
    var generator = Seeded(state: 0x5eed)
    for _ in 0..<300 {
      let value = randomValue(depth: 0, using: &generator)
      let pretty = Bool.random(using: &generator)
      let document = try JSONDocument(parsing: value.text(pretty: pretty))
      let other = randomValue(depth: 0, using: &generator)
      #expect(try document.setting(.root, to: other).root.value == other)
      let added = try document.setting(JSONPointer(tokens: ["new", "x"]), to: other)
      #expect(added.root["new"]?["x"]?.value == other)
      let removed = try added.removing(JSONPointer(tokens: ["new"]))
      #expect(removed.text == document.text)
    }
  }

  /// SplitMix64: the same documents in every run.
  private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
    }
  }

  private func randomValue(
    depth: Int, using generator: inout some RandomNumberGenerator
  ) -> JSONValue {
    var object = JSONObject()
    for index in 0..<Int.random(in: 1...4, using: &generator) {
      switch Int.random(in: depth > 3 ? 2...4 : 0...4, using: &generator) {
      case 0: object["k\(index)"] = randomValue(depth: depth + 1, using: &generator)
      case 1: object["k\(index)"] = [randomValue(depth: depth + 1, using: &generator), 1]
      case 2: object["é\(index)"] = JSONValue(Int.random(in: 0...9, using: &generator))
      case 3: object["k\(index)"] = []
      default: object["k\(index)"] = "a\n\"b\""
      }
    }
    return .object(object)
  }

  private func set(_ pointer: String, _ value: JSONValue, in text: String) throws -> String {
    try JSONDocument(parsing: text).setting(JSONPointer(pointer), to: value).text
  }

  private func remove(_ pointer: String, in text: String) throws -> String {
    try JSONDocument(parsing: text).removing(JSONPointer(pointer)).text
  }

  private func code(_ edit: () throws -> String) -> JSONEditError.Code? {
    #expect(throws: JSONEditError.self) { try edit() }?.code
  }
}
