import ECMARegex
import Testing

/// Whether a pattern matches a text, asked often enough that every way of matching is taken:
/// patterns are simulated at first, and made into a table when they are used.
func matches(_ pattern: String, _ text: String) throws -> Bool {
  let compiled = try Pattern(pattern)
  let first = compiled.matches(text)
  for _ in 0..<3 {
    let again = compiled.matches(text)
    if again != first { Issue.record("\(pattern) changes its mind about \(text)") }
  }
  return first
}

@Suite struct PatternTests {
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
      ("^a{2000}$", String(repeating: "a", count: 2000), true),
      ("^a{2000}$", String(repeating: "a", count: 1999), false),
      ("^a{0,99999999999999999999}$", "aa", true),
    ]) func `a pattern matches as ECMA-262 specifies`(
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
    ("ab(c", "The group opened at position 3 isn't closed."),
    ("(a|(b)", "The group opened at position 1 isn't closed."),
    ("a)", "The \")\" at position 2 closes no group. For the sign write \"\\)\"."),
    ("x[a", "The class opened at position 2 isn't closed."),
    ("*a", "The \"*\" at position 1 repeats nothing. For the sign write \"\\*\"."),
    ("a|+", "The \"+\" at position 3 repeats nothing."),
    ("(?:?)", "The \"?\" at position 4 repeats nothing."),
    ("{2}", "The \"{\" at position 1 repeats nothing."),
    ("a**", "The repetition at position 3 repeats a repetition."),
    ("a{2}{3}", "The repetition at position 5 repeats a repetition."),
    ("^*", "The repetition at position 2 follows an assertion"),
    ("\\b+", "The repetition at position 3 follows an assertion"),
    ("(?=a)*", "The repetition at position 6 follows an assertion"),
    ("[b-a]", "The range at position 2 is reversed."),
    ("[\\w-z]", "The range at position 2 needs a character at both ends."),
    ("[a-\\d]", "The range at position 2 needs a character at both ends."),
    ("a{3,2}", "The repetition {3,2} at position 2 has its numbers reversed."),
    ("\\a", "The \"\\a\" at position 1 is no escape that ECMA-262 knows."),
    ("a\\Z", "The \"\\Z\" at position 2 is no escape that ECMA-262 knows. Write \"$\"."),
    ("\\", "The backslash at position 1 has nothing to follow it."),
    ("a\\01", "The \"\\0\" at position 2 is followed by a digit."),
    ("\\c1", "The \"\\c\" at position 1 needs a letter"),
    ("\\xg0", "The \"\\x\" at position 1 needs two hexadecimal digits."),
    ("\\u12", "The \"\\u\" at position 1 needs four hexadecimal digits"),
    ("\\u{}", "The \"\\u{\" at position 1 needs hexadecimal digits"),
    ("\\u{110000}", "The \"\\u{\" at position 1 needs hexadecimal digits"),
    ("é\\p{Foo}", "The property \"Foo\" at position 2 is none that ECMA-262 knows."),
    ("\\p{Greek}", "For the script write \"Script=Greek\"."),
    ("\\p{sc=Foo}", "The property \"sc=Foo\" at position 1"),
    ("\\p{L", "The property opened at position 1 isn't closed."),
    ("\\pL", "The \"\\p\" at position 1 needs a property in braces"),
    ("(a)\\2", "The back-reference \"\\2\" at position 4 means no group: there is 1."),
    ("\\k<a>", "The back-reference \"\\k<a>\" at position 1 means no group"),
    ("\\k", "The \"\\k\" at position 1 needs a group's name"),
    ("(?<a>b)(?<a>c)", "The group at position 8 has the name \"a\", which is taken."),
    ("(?<1>b)", "The group name at position 1 isn't letters"),
    ("(?P<a>b)", "Write \"(?<name>…)\"."), ("(?>a)", "is atomic"), ("(?i)a", "have no group"),
    ("(?x:a)", "The \"(?\" at position 1 opens no kind of group"),
    ("(?ii:a)", "opens no kind of group"), ("(?#a)", "opens no kind of group"),
    ("((ab{100}){100}){100}", "more than 50000 steps"),
    ("((((){1000}){1000}){1000}){1000}", "more than 50000 steps"),
    (String(repeating: "(", count: 2000), "deeper than 64 groups"),
  ]) func `a pattern that can't be used is refused with the reason`(
    pattern: String, reason: String
  ) throws {
    let error = #expect(throws: PatternError.self) { try Pattern(pattern) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }
}
