import AgentJSON
import Testing

@Suite struct JSONPointerTests {
  @Test(arguments: ["", "/", "/a~1b/~01/0", "/processes/x.y/é"])
  func `a pointer's text and tokens convert to each other`(text: String) throws {
    #expect(try JSONPointer(text).description == text)
  }

  @Test func `escapes stand for slash and tilde`() throws {
    #expect(try JSONPointer("/a~1b/m~0n/~01").tokens == ["a/b", "m~n", "~1"])
  }

  @Test func `a text without slash or with a bad escape is refused`() {
    #expect(throws: JSONPointerError.self) { try JSONPointer("a") }
    #expect(throws: JSONPointerError.self) { try JSONPointer("/a~2") }
    #expect(throws: JSONPointerError.self) { try JSONPointer("/a~") }
  }

  @Test func `a path with dots, brackets and quoted keys is read`() throws {
    #expect(try JSONPointer("/processes/x/window").dotted == "processes.x.window")
    #expect(try JSONPointer("/list/3/a b/d.e").dotted == #"list[3]."a b"."d.e""#)
    #expect(JSONPointer.root.dotted.isEmpty)
  }

  @Test func `a pointer finds nodes and values alike`() throws {
    let document = try JSONDocument(parsing: #"{"a/b": [1, {"c": true}], "0": "zero"}"#)
    for (text, expected) in [("/a~1b/1/c", JSONValue.bool(true)), ("/0", "zero"), ("/a~1b/0", 1)] {
      let pointer = try JSONPointer(text)
      #expect(document.node(at: pointer)?.value == expected)
      #expect(document.root.value.value(at: pointer) == expected)
      #expect(document.node(at: pointer)?.pointer == pointer)
    }
    for text in ["/a~1b/2", "/a~1b/01", "/a~1b/-", "/x", "/0/y"] {
      #expect(document.node(at: try JSONPointer(text)) == nil)
    }
  }
}
