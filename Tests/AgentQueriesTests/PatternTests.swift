import AgentJSON
import AgentQueries
import TestSupport
import Testing

/// Fuzzy terms and wildcards against the plainest way to say what they mean.
struct PatternTests {
  private static func word(_ letters: String, _ generator: inout SeededGenerator) -> String {
    String(
      (0..<Int.random(in: 1...7, using: &generator)).compactMap { _ in
        letters.randomElement(using: &generator)
      })
  }

  private static func edits(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (line, letter) in left.enumerated() {
      var next = [line + 1]
      for column in right.indices {
        next.append(
          min(
            row[column] + (letter == right[column] ? 0 : 1), row[column + 1] + 1, next[column] + 1))
      }
      row = next
    }
    return row[right.count]
  }

  private static func like(_ text: Substring, _ pattern: Substring) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" {
      return like(text, pattern.dropFirst()) || (!text.isEmpty && like(text.dropFirst(), pattern))
    }
    guard let letter = text.first, first == "?" || first == letter else { return false }
    return like(text.dropFirst(), pattern.dropFirst())
  }

  @Test func `a fuzzy term counts edits`() throws {
    var generator = SeededGenerator(seed: 5)
    var near = 0
    for _ in 0..<3_000 {
      let (wanted, text) = (Self.word("ab\u{E9}", &generator), Self.word("ab\u{E9}", &generator))
      let bound = Int.random(in: 0...3, using: &generator)
      let filter = try EventFilter(parsing: "* x:\(wanted)~\(bound)")
      let expected = Self.edits(Array(wanted), Array(text)) <= bound
      if expected { near += 1 }
      #expect(filter.matches(["x": .string(text)]) == expected, "\(wanted)~\(bound) on \(text)")
    }
    #expect(near > 300 && near < 2_700)
  }

  @Test func `a pattern of many words of bits matches as one pattern`() throws {
    var generator = SeededGenerator(seed: 7)
    var alike = 0
    for _ in 0..<300 {
      let text = (0..<200).map { _ in "abcdefgh\u{E9}".randomElement(using: &generator) ?? "a" }
      var pattern = text.map { Int.random(in: 0..<9, using: &generator) == 0 ? "?" : $0 }
      let (first, last) = (Int.random(in: 1..<90, using: &generator), 195)
      pattern.replaceSubrange(first..<first + 60, with: "*")
      if Bool.random(using: &generator) { pattern[80] = "h" }
      let filter = try EventFilter(parsing: "* x:(\(String(pattern)))")
      let expected = Self.like(Substring(String(text)), Substring(String(pattern)))
      if expected { alike += 1 }
      #expect(filter.matches(["x": .string(String(text))]) == expected, "\(String(pattern))")
      let part = "*\(String(text[60..<last]))"
      #expect(try EventFilter(parsing: "* x:(\(part)*)").matches(["x": .string(String(text))]))
      #expect(try !EventFilter(parsing: "* x:(\(part))").matches(["x": .string(String(text))]))
    }
    #expect(alike > 100 && alike < 290)
  }

  @Test func `a star that never matches costs a long text no more than a short one`() throws {
    let text = String(repeating: "a", count: 1 << 18)
    let pattern = "*" + String(repeating: "a", count: 250) + "b*"
    #expect(try !EventFilter(parsing: "* x:(\(pattern))").matches(["x": .string(text)]))
    #expect(try EventFilter(parsing: "* x:(\(pattern))").matches(["x": .string(text + "b")]))
  }

  @Test func `a wildcard matches any text`() throws {
    var generator = SeededGenerator(seed: 6)
    var alike = 0
    for _ in 0..<3_000 {
      let (pattern, text) = (Self.word("ab**?", &generator), Self.word("abB", &generator))
      let filter = try EventFilter(parsing: "* x:(\(pattern))")
      let expected = Self.like(Substring(text.lowercased()), Substring(pattern))
      if expected { alike += 1 }
      #expect(filter.matches(["x": .string(text)]) == expected, "\(pattern) on \(text)")
    }
    #expect(alike > 300 && alike < 2_700)
  }

  @Test func `a long text and a long pattern are compared quickly`() throws {
    let pattern = String(repeating: "*a", count: 120)
    let filter = try EventFilter(parsing: "* x:\(pattern)*b")
    #expect(!filter.matches(["x": .string(String(repeating: "a", count: 5_000))]))
    let fuzzy = try EventFilter(parsing: "* x:\(String(repeating: "a", count: 64))~3")
    #expect(!fuzzy.matches(["x": .string(String(repeating: "a", count: 1_000_000))]))
  }
}
