import AgentText
import Testing

@Suite struct CutTests {
  @Test func `a text that fits stays, and a longer one is cut between characters`() {
    #expect("".cut(toBytes: 0) == "")
    #expect("abcdef".cut(toBytes: 6) == "abcdef")
    #expect("abcdefg".cut(toBytes: 6) == "abc…")
    #expect("aäöüb".cut(toBytes: 7) == "aä…")
    #expect("abc".cut(toBytes: 1) == "…")
  }

  @Test func `a cut text never exceeds its limit and never ends in half a character`() {
    let text = "aä€👩‍🚀\u{10FFFF}z"
    for most in 3...text.utf8.count {
      let cut = text.cut(toBytes: most)
      #expect(cut.utf8.count <= most)
      #expect(!cut.unicodeScalars.contains("\u{FFFD}"))
      #expect(cut == text || text.utf8.starts(with: cut.dropLast().utf8) && cut.hasSuffix("…"))
    }
  }
}
