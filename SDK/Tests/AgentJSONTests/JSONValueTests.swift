import AgentJSON
import Testing

@Suite struct JSONValueTests {
  @Test func `equality is that of JSON`() throws {
    #expect(try JSONValue(parsing: #"{"a":1,"b":[1.0]}"#) == ["b": [1], "a": 1.0])
    #expect(try JSONValue(parsing: "[1,2]") != [2, 1])
    #expect(JSONValue.string("\u{e9}") != .string("e\u{301}"))
    #expect(JSONValue.null != .bool(false))
    let values: Set<JSONValue> = [["a": 1, "b": 2], ["b": 2.0, "a": 1], "x", ["x"]]
    #expect(values.count == 3)
  }

  @Test func `members are read, replaced, added and removed by key`() {
    var value: JSONValue = ["a": 1, "b": [true, "x"]]
    value["a"] = "one"
    value["c"] = .null
    value["b"] = nil
    #expect(value.text() == #"{"a":"one","c":null}"#)
    #expect(value["c"]?.isNull == true)
    #expect(value["b"] == nil)
    #expect(JSONValue.string("x")["a"] == nil)
    value["o"] = ["n": 5, "d": 0.5]
    #expect(value["o"]?["n"]?.int == 5)
    #expect(value["o"]?["d"]?.double == 0.5)
    #expect(JSONValue.array([1, 2])[1]?.int == 2)
    #expect(JSONValue.array([1, 2])[2] == nil)
  }

  @Test func `a large object keeps its order and finds its keys`() {
    var object = JSONObject((0..<100).map { ("k\($0)", JSONValue($0)) })
    for index in stride(from: 0, to: 100, by: 2) { object["k\(index)"] = nil }
    object["k1"] = "one"
    object["new"] = 0
    #expect(object.keys == (0..<50).map { "k\(2 * $0 + 1)" } + ["new"])
    #expect(object["k1"] == "one")
    #expect(object["k51"] == 51)
    #expect(object["k50"] == nil)
    for key in object.keys.dropLast() { object[key] = nil }
    #expect(object == ["new": 0])
    #expect(object["new"] == 0)
  }

  @Test func `keys are distinguished by their code points`() {
    var object: JSONObject = ["\u{e9}": 1]
    object["e\u{301}"] = 2
    #expect(object.count == 2)
    #expect(object["\u{e9}"] == 1)
  }

  @Test func `the deepest document that can be allowed is read, converted, written and decoded`()
    throws
  {
    indirect enum Nest: Decodable {
      case inner([Nest])
      init(from decoder: any Decoder) throws { self = .inner(try [Nest](from: decoder)) }
    }
    let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    let limits = JSONLimits(maxDepth: .max)
    let document = try JSONDocument(parsing: text, limits: limits)
    #expect(JSONDocument(document.root.value).text == text)
    #expect(throws: Never.self) { try document.root.decode(Nest.self) }
    #expect(throws: JSONParseError.self) { try JSONDocument(parsing: "[\(text)]", limits: limits) }
  }

  @Test func `JSON values are members of Codable types`() throws {
    struct Wrapper: Codable, Equatable { var any: [JSONValue?], object: JSONObject }
    let wrapper = Wrapper(any: [1, "x", 1.5, true, [:], nil], object: ["k": [.null]])
    let json = try JSONValue(encoding: wrapper)
    #expect(json == ["any": [1, "x", 1.5, true, [:], .null], "object": ["k": [.null]]])
    #expect(try json.decode(Wrapper.self) == wrapper)
  }

  @Test func `a JSON value passes through other coders`() throws {
    for text in [
      "null", "true", "-1", "18446744073709551615", "0.5", #""x""#, "[1,[]]", #"{"a":{}}"#,
    ] {
      let value = try JSONValue(parsing: text)
      #expect(try value.decode(Abroad.self).value == value)
      #expect(try JSONValue(encoding: Abroad(value: value)) == value)
    }
  }
}

/// A JSON value that is coded by coders whose types it doesn't know.
private struct Abroad: Codable {
  var value: JSONValue

  init(value: JSONValue) {
    self.value = value
  }

  init(from decoder: any Decoder) throws {
    value = try JSONValue(from: ForeignDecoder(base: decoder))
  }

  func encode(to encoder: any Encoder) throws {
    try value.encode(to: ForeignEncoder(base: encoder))
  }
}

private struct ForeignDecoder: Decoder {
  let base: any Decoder

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try base.container(keyedBy: type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try base.singleValueContainer()
  }
}

private struct ForeignEncoder: Encoder {
  let base: any Encoder

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    base.container(keyedBy: type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { base.unkeyedContainer() }

  func singleValueContainer() -> any SingleValueEncodingContainer { base.singleValueContainer() }
}
