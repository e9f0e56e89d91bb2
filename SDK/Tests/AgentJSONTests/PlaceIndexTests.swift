import AgentJSON
import Testing

@Suite struct PlaceIndexTests {
  @Test func `an index finds the same places as counting from the start`() throws {
    let lines = (0..<1500).map { #"  {"é🐉": "\#($0)", "b": [1, 2]}"# }
    for separator in [",\n", ",\r\n", ",\r", ","] {
      let text = "[\n" + lines.joined(separator: separator) + "\n]"
      let document = try JSONDocument(parsing: text)
      let index = JSONPlaceIndex(document)
      let end = document.bytes.count
      for offset in stride(from: 0, to: end + 3, by: 997) {
        #expect(index.place(at: offset) == document.place(at: offset))
      }
      for offset in [0, 4095, 4096, 4097, 8191, 8192, end - 1, end, end + 100] {
        #expect(index.place(at: offset) == document.place(at: offset))
      }
    }
  }

  @Test func `a short document and an offset before it have places`() throws {
    let index = JSONPlaceIndex(try JSONDocument(parsing: "1"))
    #expect(index.place(at: -1) == JSONPlace(offset: 0, line: 1, column: 1))
    #expect(index.place(at: 9) == JSONPlace(offset: 1, line: 1, column: 2))
  }
}
