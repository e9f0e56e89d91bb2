import AgentJSON
import Testing

@Suite struct JSONParsingTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "1.5e-3", "1E+2", "\"\"", "[]", "{}", " [ ] ", "\t\r\n{ } ",
    #"{"a":[1,{"b":null}],"c":"\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\"}"#, "\"é😀\u{2028}\u{7f}\"",
    "[[[[]]],[],{}]", "123456789012345678901234567890", "1e400", #"{"":0}"#, #"{"a":1,"A":2}"#,
    "\"\u{10FFFF}\"", #"["\u0000"]"#, "{\"\u{e9}\":1,\"e\u{301}\":2}",
  ])
  func `documents that RFC 8259 allows are read`(text: String) throws {
    let value = try JSONDocument(parsing: text).root.value
    #expect(try JSONValue(parsing: value.text()) == value)
    #expect(try JSONValue(parsing: value.text(pretty: true)) == value)
    #expect(JSONDocument(value).root.value == value)
  }

  @Test(
    arguments: [
      ("", .emptyDocument, "1:1"), (" \n ", .emptyDocument, "2:2"),
      ("[1,]", .trailingComma, "1:3"), ("{\"a\":1,\n}", .trailingComma, "1:7"),
      ("[1 2]", .missingComma, "1:4"), ("{\"a\":1 \"b\":2}", .missingComma, "1:8"),
      ("[,1]", .missingValue, "1:2"), ("[1,,2]", .missingValue, "1:4"),
      ("{\"a\":}", .missingValue, "1:6"), ("{\"a\" 1}", .missingColon, "1:6"),
      ("{a:1}", .invalidKey, "1:2"), ("{1:1}", .invalidKey, "1:2"), ("{,}", .invalidKey, "1:2"),
      ("{'a':1}", .unexpectedCharacter, "1:2"), ("['a']", .unexpectedCharacter, "1:2"),
      ("[1}", .unexpectedCharacter, "1:3"), ("{\"a\":1]", .unexpectedCharacter, "1:7"),
      ("[1", .unexpectedEnd, "1:3"), ("{\"a\":[", .unexpectedEnd, "1:7"),
      ("{\"a\"", .unexpectedEnd, "1:5"), ("{\"a\":", .unexpectedEnd, "1:6"),
      ("{", .unexpectedEnd, "1:2"), ("[1,", .unexpectedEnd, "1:4"),
      ("\"abc", .unexpectedEnd, "1:1"),
      ("\"abc\\", .unexpectedEnd, "1:1"),
      ("1 2", .trailingBytes, "1:3"), ("{}]", .trailingBytes, "1:3"),
      ("[]\u{a0}", .trailingBytes, "1:3"),
      ("// x\n1", .comment, "1:1"), ("{\"a\": 1 /* x */}", .comment, "1:9"),
      ("[1] # x", .comment, "1:5"),
      ("True", .invalidLiteral, "1:1"), ("nul", .invalidLiteral, "1:1"),
      ("nulll", .invalidLiteral, "1:1"),
      ("[NaN]", .invalidLiteral, "1:2"), ("Infinity", .invalidLiteral, "1:1"),
      ("01", .invalidNumber, "1:1"), ("-", .invalidNumber, "1:1"), ("-01", .invalidNumber, "1:1"),
      ("1.", .invalidNumber, "1:1"), (".5", .invalidNumber, "1:1"), ("+1", .invalidNumber, "1:1"),
      ("1e", .invalidNumber, "1:1"), ("1e+", .invalidNumber, "1:1"),
      ("0x1F", .invalidNumber, "1:1"),
      ("1.2.3", .invalidNumber, "1:1"), ("-Infinity", .invalidNumber, "1:1"),
      ("1_000", .invalidNumber, "1:1"),
      ("\"\\x\"", .invalidEscape, "1:2"), ("\"\\u12G4\"", .invalidEscape, "1:2"),
      ("\"\\u12", .invalidEscape, "1:2"),
      ("\"a\nb\"", .controlCharacter, "1:3"), ("\"\t\"", .controlCharacter, "1:2"),
      ("\"\u{0}\"", .controlCharacter, "1:2"),
      ("\"\\ud800\"", .loneSurrogate, "1:2"), ("\"\\udc00\"", .loneSurrogate, "1:2"),
      ("\"\\ud800\\u0041\"", .loneSurrogate, "1:2"), ("\"\\ud800x", .loneSurrogate, "1:2"),
      ("\u{feff}{}", .byteOrderMark, "1:1"), ("{\"é😀\": 1,\r\n\r\n  x}", .invalidKey, "3:3"),
    ] as [(String, JSONParseError.Code, String)])
  func `documents that RFC 8259 forbids are refused with the place`(
    text: String, code: JSONParseError.Code, place: String
  ) {
    let error = #expect(throws: JSONParseError.self) { try JSONDocument(parsing: text) }
    #expect(error?.code == code)
    #expect(error?.place.description == place)
  }

  @Test(
    arguments: [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF0, 0x80, 0x80, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE2, 0x82], [0xC3, 0x28],
    ] as [[UInt8]])
  func `bytes that aren't UTF-8 are refused`(bytes: [UInt8]) {
    let text = Array("{\"a\": \"é".utf8) + bytes + Array("\"}".utf8)
    let error = #expect(throws: JSONParseError.self) { try JSONDocument(parsing: text) }
    #expect(error?.code == .invalidUTF8)
    #expect(error?.place.description == "1:9")
  }

  @Test(arguments: [0, 100])
  func `a duplicate key is refused, also when it is spelled differently`(others: Int) {
    let members = (0..<others).map { "\"k\($0)\": 0,\n" }.joined()
    let text = "{\"name\": 1,\n\(members)\"n\\u0061me\": 2}"
    let error = #expect(throws: JSONParseError.self) { try JSONDocument(parsing: text) }
    #expect(error?.code == .duplicateKey)
    #expect(error?.place == JSONPlace(offset: text.utf8.count - 15, line: others + 2, column: 1))
    #expect(error?.message.contains("first at line 1, column 2") == true)
  }

  @Test func `depth and size have limits`() throws {
    let text = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(try JSONDocument(parsing: text).root.kind == .array)
    let deep = #expect(throws: JSONParseError.self) { try JSONDocument(parsing: "[\(text)]") }
    #expect(deep?.code == .tooDeep)
    #expect(deep?.place.column == 65)
    let large = #expect(throws: JSONParseError.self) {
      try JSONDocument(parsing: text, limits: JSONLimits(maxBytes: 127))
    }
    #expect(large?.code == .tooLarge)
  }

  @Test func `no prefix of a document and no changed byte crashes the parser`() throws {
    let text = Array(#"{"a": [1.5e3, "é\u00e9\ud83d\ude00", true, null], "b": {"c": {}}}"#.utf8)
    for index in text.indices {
      #expect(throws: JSONParseError.self) { try JSONDocument(parsing: Array(text[..<index])) }
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[index] = byte
        if let root = try? JSONDocument(parsing: changed).root {
          #expect(try JSONValue(parsing: root.value.bytes()) == root.value)
        }
      }
    }
  }

  @Test func `messages say what to do`() {
    #expect(message("[1,]") == "1:3: No comma may stand before \"]\". Remove it.")
    #expect(
      message("{window: 1}")
        == "1:2: A key must be a string in double quotes, not \"window\". Write \"window\".")
    #expect(
      message("[1.]") == "1:2: 1. isn't a JSON number. Write a digit after the point, or remove it."
    )
    #expect(message("[True]") == "1:2: True isn't a JSON value. Write true.")
  }

  private func message(_ text: String) -> String? {
    do throws(JSONParseError) {
      _ = try JSONDocument(parsing: text)
      return nil
    } catch {
      return error.description
    }
  }
}
