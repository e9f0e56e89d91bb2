import AgentKit
import Testing

@Suite struct LineSplitterTests {
  @Test func `lines are assembled from pieces, without empty lines and carriage returns`() {
    var splitter = LineSplitter()
    #expect(splitter.lines(of: Array("one\ntw".utf8)) == ["one"])
    #expect(splitter.lines(of: Array("o\r\n\n".utf8)) == ["two"])
    #expect(splitter.lines(of: []) == [])
  }

  @Test func `a character may arrive in pieces, and invalid UTF-8 is replaced`() {
    var splitter = LineSplitter()
    #expect(splitter.lines(of: [0xC3]) == [])
    #expect(splitter.lines(of: [0xA4, 0x0A, 0xFF, 0x0A]) == ["ä", "\u{FFFD}"])
  }

  @Test func `a line keeps no more than the limit, and the next one is whole`() {
    var splitter = LineSplitter(limit: 3)
    #expect(splitter.lines(of: Array("abcdef\ngh\n".utf8)) == ["abc", "gh"])
  }
}
