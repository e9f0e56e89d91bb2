import ECMARegex
import TestSupport
import Testing

/// Random patterns on random texts: every way of matching says what a simple matcher says that
/// tries everything.
@Suite struct PatternFuzzTests {
  private static let letters: [Character] = ["a", "b", "A", "é", "1", " ", "\n", "\u{1F409}"]

  @Test(arguments: [UInt64(1), 2, 3, 4]) func `all matchers agree`(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    for _ in 0..<600 {
      let tree = SimplePattern.random(&dice)
      let pattern = tree.text
      // The same language, said so that an automaton, look-around or back-references are needed.
      let patterns = try [
        pattern, "(?:\(pattern))|[]", "(?:\(pattern))(?=)", "(?:\(pattern))(?<z>)\\k<z>",
      ].map { try Pattern($0) }
      for _ in 0..<4 {
        let text = (0..<dice.below(9)).map { _ in dice.pick(Self.letters, else: "a") }
        let expected = tree.isFound(in: text.map { $0.unicodeScalars.first ?? "a" })
        for (way, compiled) in patterns.enumerated() {
          let found = compiled.matches(String(text))
          #expect(found == expected, "way \(way) of \(pattern) on \(String(text).debugDescription)")
        }
      }
    }
  }

  /// A table takes over once a pattern has been used for a while.
  @Test func `a pattern gives the same result after a thousand texts`() throws {
    var dice = SeededGenerator(seed: 5)
    for _ in 0..<60 {
      let tree = SimplePattern.random(&dice)
      let compiled = try Pattern("(?:\(tree.text))|[]")
      for _ in 0..<150 {
        let text = (0..<dice.below(9)).map { _ in dice.pick(Self.letters, else: "a") }
        let expected = tree.isFound(in: text.map { $0.unicodeScalars.first ?? "a" })
        let found = compiled.matches(String(text))
        #expect(found == expected, "\(tree.text) on \(String(text).debugDescription)")
      }
    }
  }

  @Test func `no text crashes the pattern compiler`() throws {
    var dice = SeededGenerator(seed: 6)
    let parts: [String] =
      "( ) [ ] { } * + ? | ^ $ . \\ - , : = ! < > 0 1 9 a b k p u x c d w s B P D W S i m é \u{1F409} \u{0}"
      .split(separator: " ").map(String.init)
      + [
        "(?", "(?:", "(?<", "(?=", "(?<!", "\\p{", "\\u{", "{2,", "}", "\\k<", "[^", "\\1", "(?i:",
      ]
    var usable = 0
    for _ in 0..<20_000 {
      let pattern = (0..<dice.below(12)).map { _ in dice.pick(parts, else: "") }.joined()
      guard let compiled = try? Pattern(pattern) else { continue }
      usable += 1
      _ = compiled.matches("ab1 \u{1F409}é")
      _ = compiled.matches("")
    }
    #expect(usable > 1000)
  }
}
