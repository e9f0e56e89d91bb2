import AgentText
import Testing

@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("plain, ünïcödé, 漢字, 👩‍👩‍👧", "plain, ünïcödé, 漢字, 👩‍👩‍👧"), ("", ""),
    ("a\u{1B}[2Kb", "a\\u{1b}[2Kb"), ("a\nb\tc\r", "a\\nb\\tc\\r"),
    ("\u{7F}\u{0}", "\\u{7f}\\u{0}"),
    ("\u{9B}31m", "\\u{9b}31m"), ("\u{85}", "\\u{85}"),
    ("x\u{202E}y\u{2066}", "x\\u{202e}y\\u{2066}"),
    ("\u{61C}\u{200F}", "\\u{61c}\\u{200f}"), ("\u{2028}", "\\u{2028}"), ("\u{FEFF}", "\\u{feff}"),
    ("\u{E0041}", "\\u{e0041}"),
    ("\u{A0}é", "\u{A0}é"),
  ])
  func `no terminal control stays in a line`(_ text: String, _ shown: String) {
    #expect(VisibleText.line(text) == shown)
  }

  @Test func `noncharacters are left to the one who shows the text`() throws {
    let mark = String(Character(try #require(Unicode.Scalar(0xFDD1 as UInt32))))
    #expect(VisibleText.line(mark + "red") == "\\u{fdd1}red")
    #expect(VisibleText.block(mark + "red") == "\\u{fdd1}red")
  }

  @Test func `a block keeps line feeds and tabs only`() {
    #expect(VisibleText.block("a\n\tb\r\u{1B}]0;x\u{7}") == "a\n\tb\\r\\u{1b}]0;x\\u{7}")
  }

  @Test func `a carriage return before a line feed doesn't hide a line`() {
    #expect(VisibleText.line("a\r\nb") == "a\\r\\nb")
    #expect(VisibleText.block("a\r\nb") == "a\\r\nb")
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("abcd", 3, "…"), ("abcdefgh", 6, "abc…"), ("ääää", 8, "ääää"),
    ("äääää", 8, "ää…"), (String(repeating: "\u{1B}", count: 9), 12, "\\u{1b}\\u{…"),
  ])
  func `a line is cut at whole characters`(_ text: String, _ bytes: Int, _ cut: String) {
    #expect(VisibleText.line(text, atMost: bytes) == cut)
    #expect(VisibleText.line(text, atMost: bytes).utf8.count <= bytes)
  }

  @Test func `JSON stays the same value`() {
    let text = "{\"a\u{9B}\": \"\u{202E}é\u{E0041}\"}\n"
    #expect(VisibleText.json(text) == "{\"a\\u009b\": \"\\u202eé\\udb40\\udc41\"}\n")
    #expect(VisibleText.json("[\n\t1\n]") == "[\n\t1\n]")
  }
}
