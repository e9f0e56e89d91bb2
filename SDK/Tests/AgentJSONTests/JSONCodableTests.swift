import AgentJSON
import Testing

@Suite struct JSONCodableTests {
  struct Monitor: Codable, Equatable {
    var name: String
    var window: Int
    var threshold: Double?
    var tags: [String: [Int]]
    var level: Level
    var extra: JSONValue
  }

  enum Level: String, Codable { case low, high }

  enum Choice: Codable, Equatable {
    case nothing
    case some(Int, label: String?)
  }

  class Base: Codable {
    var id = 0
  }

  final class Derived: Base {
    var name = ""
    private enum CodingKeys: CodingKey { case name }

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try super.encode(to: container.superEncoder())
    }
  }

  let monitor = Monitor(
    name: "m", window: 60, threshold: nil, tags: ["a": [1, 2]], level: .high,
    extra: ["x": [.null, 1.50]])

  @Test func `a value encodes to its JSON and decodes back`() throws {
    let json = try JSONValue(encoding: monitor)
    let text =
      #"{"name":"m","window":60,"tags":{"a":[1,2]},"level":"high","extra":{"x":[null,1.5]}}"#
    #expect(json.text() == text)
    #expect(try json.decode(Monitor.self) == monitor)
    #expect(try JSONDocument(parsing: text).root.decode() == monitor)
  }

  @Test func `enums, subclasses, numeric keys and top-level scalars survive`() throws {
    for choice in [Choice.nothing, .some(1, label: "x"), .some(2, label: nil)] {
      #expect(try JSONValue(encoding: choice).decode(Choice.self) == choice)
    }
    let derived = Derived()
    (derived.id, derived.name) = (7, "n")
    let json = try JSONValue(encoding: derived)
    #expect(json == ["name": "n", "super": ["id": 7]])
    #expect(try json.decode(Derived.self).id == 7)
    #expect(try JSONValue(encoding: [3: "x"]).decode([Int: String].self) == [3: "x"])
    #expect(try JSONValue(encoding: Optional<Int>.none) == .null)
    #expect(try JSONValue(encoding: Float(0.1)).text() == "0.1")
    #expect(try JSONValue.null.decode(Int?.self) == nil)
    #expect(try JSONValue(encoding: UInt64.max).decode(UInt64.self) == .max)
  }

  /// Codable asks for every type by a method of its own, in objects, arrays and alone.
  struct Row: Codable, Equatable {
    var a: Int8, b: Int16, c: Int32, d: Int64, e: Int
    var f: UInt8, g: UInt16, h: UInt32, i: UInt64, j: UInt
    var k: Float, l: Double, m: Bool, n: String
  }

  struct Column: Codable, Equatable {
    var row: Row

    init(row: Row) {
      self.row = row
    }

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      row = try Row(
        a: list.decode(Int8.self), b: list.decode(Int16.self), c: list.decode(Int32.self),
        d: list.decode(Int64.self), e: list.decode(Int.self), f: list.decode(UInt8.self),
        g: list.decode(UInt16.self), h: list.decode(UInt32.self), i: list.decode(UInt64.self),
        j: list.decode(UInt.self), k: list.decode(Float.self), l: list.decode(Double.self),
        m: list.decode(Bool.self), n: list.decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(row.a)
      try list.encode(row.b)
      try list.encode(row.c)
      try list.encode(row.d)
      try list.encode(row.e)
      try list.encode(row.f)
      try list.encode(row.g)
      try list.encode(row.h)
      try list.encode(row.i)
      try list.encode(row.j)
      try list.encode(row.k)
      try list.encode(row.l)
      try list.encode(row.m)
      try list.encode(row.n)
    }
  }

  @Test func `every type is kept in objects, arrays and alone`() throws {
    let row = Row(
      a: .min, b: .max, c: .min, d: .max, e: .min, f: .max, g: .max, h: .max, i: .max, j: .max,
      k: 0.1, l: 0.1, m: true, n: "x")
    let list: JSONValue = [
      -128, 32767, -2_147_483_648, 9_223_372_036_854_775_807, -9_223_372_036_854_775_808, 255,
      65535,
      4_294_967_295, JSONValue(UInt64.max), JSONValue(UInt64.max), 0.1, 0.1, true, "x",
    ]
    let json = try JSONValue(encoding: row)
    #expect(json.object?.values == list.array)
    #expect(try json.decode(Row.self) == row)
    #expect(try JSONValue(encoding: Column(row: row)) == list)
    #expect(try list.decode(Column.self).row == row)
    #expect(try JSONValue(encoding: [Float(0.1), -1]).decode([Float].self) == [0.1, -1])
    #expect(try JSONValue(encoding: [Int8.min]).decode([Int8].self) == [.min])
    let short = #expect(throws: JSONDecodingError.self) {
      try JSONValue.array([1]).decode(Column.self)
    }
    #expect(short?.message == "expected another element; the array has only 1.")
  }

  @Test(arguments: [
    (
      #""window": "60""#,
      #"3:13: list[1].window: expected an integer, found "60". Remove the quotes."#
    ),
    (#""window": 1.5"#, "3:13: list[1].window: expected an integer, found 1.5."),
    (
      #""window": 1e30"#,
      "3:13: list[1].window: expected an integer from -9223372036854775808 to 9223372036854775807, found 1e30."
    ),
    (#""windw": 60"#, #"2:26: list[1]: missing key "window". Add it."#),
    (#""window": null"#, "3:13: list[1].window: expected an integer, found null."),
    (
      #""window": 60.0, "name": 5"#,
      "3:27: list[1].name: expected a string, found 5. Put it in double quotes."
    ),
    (
      #""window": 60, "name": "n", "tags": {"a": 1}"#,
      "3:44: list[1].tags.a: expected an array, found 1. Put it in brackets."
    ),
    (
      #""window": 60, "name": "n", "tags": {"a": ["x"]}"#,
      #"3:45: list[1].tags.a[0]: expected an integer, found "x"."#
    ),
  ])
  func `an error says where, what was expected, and what to do`(members: String, expected: String)
    throws
  {
    struct File: Decodable { var list: [Item] }
    struct Item: Decodable {
      var window: Int
      var name: String?
      var tags: [String: [Int]]?
    }
    let text = "{\n \"list\": [{\"window\": 1}, {\n  \(members)}]}"
    let document = try JSONDocument(parsing: text)
    let error = #expect(throws: JSONDecodingError.self) { try document.root.decode(File.self) }
    #expect(error?.description == expected)
    let placeless = #expect(throws: JSONDecodingError.self) {
      try document.root.value.decode(File.self)
    }
    #expect(placeless?.place == nil)
    #expect(placeless?.pointer == error?.pointer)
  }

  @Test func `an error of a type's own gets a place and stays the cause`() throws {
    struct Refusal: Error {}
    struct Picky: Decodable {
      init(from decoder: any Decoder) throws { throw Refusal() }
    }
    let document = try JSONDocument(parsing: "{\"a\":\n{}}")
    let error = #expect(throws: JSONDecodingError.self) {
      try document.root.decode([String: Picky].self)
    }
    #expect(error?.place?.description == "2:1")
    #expect(error?.pointer.description == "/a")
    #expect(error?.cause is Refusal)
  }

  @Test func `a number that a type can't hold is refused, not cut`() {
    #expect(throws: JSONDecodingError.self) { try JSONValue(300).decode(UInt8.self) }
    #expect(throws: JSONDecodingError.self) { try JSONValue(-1).decode(UInt.self) }
    #expect(throws: JSONDecodingError.self) { try JSONValue(parsing: "1e400").decode(Double.self) }
    #expect(throws: JSONDecodingError.self) { try JSONValue(1e300).decode(Float.self) }
  }

  @Test func `a value that JSON can't write is refused with its path`() {
    let error = #expect(throws: JSONEncodingError.self) {
      try JSONValue(encoding: ["a": [1, Double.infinity]])
    }
    #expect(error?.description.hasPrefix("a[1]: JSON has no number for inf.") == true)
  }

  @Test func `information for the decoded types is passed on`() throws {
    struct Informed: Decodable {
      var text: String?
      init(from decoder: any Decoder) throws {
        let key = try #require(CodingUserInfoKey(rawValue: "key"))
        text = decoder.userInfo[key] as? String
      }
    }
    let key = try #require(CodingUserInfoKey(rawValue: "key"))
    #expect(
      try JSONValue(encoding: [1]).decode([Informed].self, userInfo: [key: "x"])[0].text == "x")
  }

  @Test func `big numbers pass through values exactly`() throws {
    struct Holder: Codable { var n: JSONNumber, v: JSONValue, o: JSONObject }
    let text = #"{"n":1e400,"v":18446744073709551616,"o":{"b":1.0,"a":-0}}"#
    let holder = try JSONDocument(parsing: text).root.decode(Holder.self)
    #expect(try JSONValue(encoding: holder).text() == text)
  }
}
