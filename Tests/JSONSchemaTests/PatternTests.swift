import AgentJSON
import JSONSchema
import Testing

@Suite struct PatternTests {
  private func matches(_ pattern: String, _ text: String) throws -> Bool {
    try Schema(["pattern": .string(pattern)]).isValid(.string(text))
  }

  @Test(
    arguments: [
      ("^a*$", "aaa", true), ("^a*$", "aab", false), ("b+", "abba", true), ("b+", "acca", false),
      ("^(ab|cd){2,3}$", "abcdab", true), ("^(ab|cd){2,3}$", "ab", false),
      ("^(ab|cd){2,3}$", "abababab", false), ("^a{2}$", "aa", true), ("^a{2,}$", "a", false),
      ("^[a-c_-]+$", "a-b_c", true), ("^[^a-c]$", "b", false), ("^[^a-c]$", "d", true),
      ("^[\\w.]+$", "a.b_9", true), ("^[\\W]$", "é", true), ("^\\w$", "é", false),
      ("\\bcat\\b", "a cat.", true), ("\\bcat\\b", "concat", false), ("\\Bcat", "concat", true),
      ("^.$", "\u{1F409}", true), ("^.$", "\n", false), ("^\\p{Lu}\\p{Ll}+$", "Émile", true),
      ("^\\P{L}$", "7", true), ("^[\\p{Nd}x]$", "٣", true), ("^\\d$", "٣", false),
      ("^\\u00e9$", "é", true), ("^\\u{1F409}$", "\u{1F409}", true),
      ("^\\uD83D\\uDC09$", "\u{1F409}", true), ("^(?:a|b)*?c$", "abac", true),
      ("^(?<year>\\d{4})$", "2026", true), ("^a{,3}$", "a{,3}", true), ("^$", "", true),
      ("a|", "zzz", true), ("^a$", "a\n", false), ("^(a*)*$", "aaaab", false),
    ]) func `a pattern matches what ECMA-262 says`(
      pattern: String, text: String, expected: Bool
    ) throws
  {
    #expect(try matches(pattern, text) == expected)
  }

  @Test func `a pattern that makes others explode takes linear time`() throws {
    let text = String(repeating: "a", count: 5000) + "b"
    #expect(try !matches("^(a+)+$", text))
    #expect(try !matches("^(a|a)*$", text))
  }

  @Test(arguments: [
    ("(a", "never closed"), ("a)", "closes no group"), ("[a", "never closed"),
    ("*a", "repeats nothing"),
    ("a**", "can't be repeated"), ("[b-a]", "reversed"), ("\\a", "no escape"),
    ("a{3,2}", "reversed"), ("(?=a)", "Look-around"), ("(?<!a)b", "Look-around"),
    ("(a)\\1", "back-reference"), ("\\p{Script=Greek}", "not supported"), ("\\", "backslash"),
    ("a{2000}", "more than 1000"), ("((a{100}){100}){100}", "too large"),
    ("((((){1000}){1000}){1000}){1000}", "too large"),
    (String(repeating: "(", count: 2000), "nested deeper"),
  ]) func `a pattern that can't be used is refused with the reason`(
    pattern: String, reason: String
  ) throws {
    let error = #expect(throws: SchemaError.self) {
      try Schema(["properties": ["name": ["pattern": .string(pattern)]]])
    }
    #expect(error?.code == .malformedPattern)
    #expect(error?.pointer.description == "/properties/name/pattern")
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }
}
