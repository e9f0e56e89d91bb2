import AgentText
import Testing

@Suite struct StreamLinesTests {
  @Test func `a character that is split between two pieces stays whole`() {
    let text = "größe 🧱\n\nzwei\n"
    for size in 1...text.utf8.count {
      var splitter = StreamLines()
      let bytes = Array(text.utf8)
      let lines = stride(from: 0, to: bytes.count, by: size).flatMap {
        splitter.lines(of: bytes[$0..<min($0 + size, bytes.count)])
      }
      #expect(lines == ["größe 🧱", "", "zwei"])
    }
  }

  @Test func `a line is given when its line feed has come`() {
    var splitter = StreamLines()
    #expect(splitter.lines(of: Array("a".utf8)) == [])
    #expect(splitter.lines(of: Array("b\nc".utf8)) == ["ab"])
  }
}
