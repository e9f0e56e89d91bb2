import AgentJSON
import Testing

@Suite struct JSONWriterTests {
  @Test(arguments: [
    (false, #"{"name":"x","list":[1,-2,1.5,null,true],"none":{},"raw":[0],"value":{"a":[]}}"#),
    (
      true,
      """
      {
        "name": "x",
        "list": [
          1,
          -2,
          1.5,
          null,
          true
        ],
        "none": {},
        "raw": [0],
        "value": {
          "a": []
        }
      }
      """
    ),
  ])
  func `written pieces become one text`(pretty: Bool, expected: String) throws {
    var writer = JSONWriter(pretty: pretty)
    writer.beginObject()
    writer.key("name")
    writer.string("x")
    writer.key("list")
    writer.beginArray()
    writer.number(1)
    writer.number(JSONNumber(-2))
    writer.number(1.5)
    writer.number(Double.nan)
    writer.bool(true)
    writer.endArray()
    writer.key("none")
    writer.beginObject()
    writer.endObject()
    writer.key("raw")
    writer.raw("[0]".utf8)
    writer.key("value")
    writer.value(["a": []])
    writer.endObject()
    #expect(writer.text == expected)
  }

  @Test func `strings get the escapes they need and no others`() throws {
    let text = "\u{0}\u{8}\u{c}\n\r\t\u{1f}\"\\/é😀\u{2028}\u{7f}"
    let written = JSONValue.string(text).text()
    #expect(written == #""\u0000\b\f\n\r\t\u001f\"\\/é😀"# + "\u{2028}\u{7f}\"")
    #expect(try JSONValue(parsing: written).string == text)
  }

  @Test func `several values are written as lines, and the memory is reused`() throws {
    var writer = JSONWriter()
    writer.value([1])
    writer.value(try JSONDocument(parsing: "{\"a\" : 2}").root)
    writer.null()
    #expect(writer.text == "[1]\n{\"a\" : 2}\nnull")
    writer.reset()
    writer.bool(false)
    #expect(writer.text == "false")
  }
}
