import Testing

/// Every construct of ECMA-262: what it matches, and what it doesn't.
@Suite struct PatternSyntaxTests {
  @Test(arguments: [
    ("^a?$", ["", "a"], ["aa", "b"]), ("^a??b$", ["ab", "b"], ["aab"]),
    ("^a+$", ["a", "aa"], ["", "ba"]), ("^a+?$", ["a", "aaa"], ["", "b"]),
    ("^a{0}$", [""], ["a"]), ("^a{0,0}b$", ["b"], ["ab"]), ("^a{1,}$", ["a", "aaa"], [""]),
    ("^a{2,3}?$", ["aa", "aaa"], ["a", "aaaa"]), ("^(?:ab){2}$", ["abab"], ["ab", "ababab"]),
    ("^(a|b|)$", ["a", "b", ""], ["ab"]), ("^a|b$", ["ax", "xb"], ["xax"]),
    ("^(?:a|ab)(?:c|bcd)$", ["ac", "abc", "abcd", "abbcd"], ["ab", "acd"]),
    ("^[ab]?[bc]?[cd]?$", ["", "b", "c", "bcd", "abc", "ac"], ["aa", "db"]),
    ("^(?:a?){3}a{3}$", ["aaa", "aaaaaa"], ["aa", "aaaaaaa"]),
    ("^(?:a{2}){1,2}$", ["aa", "aaaa"], ["a", "aaa", "aaaaa"]),
    ("^(?:a{2,3}){2}$", ["aaaa", "aaaaaa"], ["aaa", "aaaaaaa"]),
    ("^(?:(?:a?){3}){2}$", ["", "aaaaaa"], ["aaaaaaa"]), ("^(?:(a+)?b?){0}$", [""], ["a"]),
    ("^(?:(?:ab)+){2}$", ["abab", "ababab"], ["ab", "aba"]), ("^a*a*a*b$", ["b", "aaab"], ["aaa"]),
    ("", ["", "x"], []), ("^", ["", "x"], []),
    ("$", ["", "x"], []), ("a$", ["a", "ba"], ["ab"]), ("^a", ["a", "ab"], ["ba"]),
    ("x*", ["", "y"], []), ("a^b", [], ["ab", "a^b"]), ("a$b", [], ["ab", "a$b"]),
    ("(?:^|,)a(?:,|$)", ["a", "b,a", "a,b", "b,a,c"], ["ba", "ab,"]),
    ("^(?:^a)$", ["a"], ["b"]), ("(^|x)*y", ["y", "xy", "ay"], ["x"]), ("(?:$)*a", ["a"], [""]),
  ]) func `repetition, choice and anchors match as specified`(
    pattern: String, matching: [String], others: [String]
  ) throws {
    try check(pattern, matching: matching, others: others)
  }

  @Test(arguments: [
    ("^[]$", [], ["", "a"]), ("^[^]$", ["a", "\n", "\u{1F409}"], ["", "ab"]),
    ("^[a-]$", ["a", "-"], ["b"]), ("^[-a]$", ["a", "-"], ["b"]), ("^[a^]$", ["a", "^"], ["b"]),
    ("^[a\\-z]$", ["a", "-", "z"], ["b"]), ("^[\\]\\[\\\\]$", ["]", "[", "\\"], ["a"]),
    ("^[.*+?(){}|$]$", [".", "*", "(", "}", "$"], ["a", "\\"]), ("^[\\b]$", ["\u{8}"], ["b"]),
    ("^[\\d\\s]$", ["7", " "], ["x"]), ("^[^\\d\\s]$", ["x"], ["7", " "]),
    ("^[à-ÿ]$", ["é", "à"], ["z", "\u{100}"]), ("^[\u{1F400}-\u{1F4FF}]$", ["\u{1F409}"], ["a"]),
    ("^[^\u{1F409}]$", ["\u{1F408}", "a"], ["\u{1F409}"]), ("^[\\x41-\\x43]$", ["B"], ["D"]),
    ("^[\\u{41}-\\u0043]$", ["B"], ["D"]), ("^[\\cA-\\cC]$", ["\u{2}"], ["A"]),
    ("^[\\D]$", ["x", "٣"], ["3"]), ("^[\\S]$", ["x"], [" ", "\u{FEFF}"]),
    ("^[\\p{Lu}\\d]+$", ["AÉ1"], ["a"]), ("^[^\\p{L}]+$", ["12-"], ["1é"]),
    ("^[\\P{L}\\p{Lu}]+$", ["1É"], ["é"]), ("^[&&]$", ["&"], ["a"]), ("^[a&&b]+$", ["&ab"], ["c"]),
  ]) func classes(pattern: String, matching: [String], others: [String]) throws {
    try check(pattern, matching: matching, others: others)
  }

  @Test(arguments: [
    ("^\\d$", ["0", "9"], ["a", "٣"]), ("^\\D$", ["a", "٣"], ["0"]),
    ("^\\w$", ["a", "Z", "0", "_"], ["-", "é"]), ("^\\W$", ["-", "é"], ["a", "_"]),
    (
      "^\\s$",
      ["\t", "\n", "\u{B}", "\u{C}", "\r", " ", "\u{A0}", "\u{FEFF}", "\u{2028}", "\u{3000}"],
      ["\u{200B}", "\u{180E}", "\u{85}", "x"]
    ),
    ("^\\S$", ["x", "\u{200B}", "\u{85}"], [" ", "\u{FEFF}", "\u{2003}"]),
    ("^.$", ["a", "\u{85}", "\u{1F409}"], ["\n", "\r", "\u{2028}", "\u{2029}", "ab"]),
    ("^\\t\\n\\v\\f\\r$", ["\t\n\u{B}\u{C}\r"], ["tnvfr"]), ("^\\0$", ["\u{0}"], ["0"]),
    ("^\\cJ\\cj$", ["\n\n"], ["JJ"]), ("^\\x41$", ["A"], ["x41"]), ("^\\u0041$", ["A"], ["a"]),
    ("^\\u{1f409}$", ["\u{1F409}"], ["\u{1F408}"]), ("^\\u{000041}$", ["A"], ["B"]),
    ("^\\ud83d\\udc09$", ["\u{1F409}"], ["x"]), ("^\\uD83D$", [], ["\u{1F409}", "x"]),
    ("^\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/$", ["^$\\.*+?()[]{}|/"], ["a"]),
    ("^\\-\\_\\\"\\'\\@\\:\\ \\é$", ["-_\"'@: é"], ["-"]),
    ("^{a}]$", ["{a}]"], ["a"]), ("^a{$", ["a{"], ["a"]), ("^a{1$", ["a{1"], ["a"]),
    ("^a{1,x}$", ["a{1,x}"], ["a"]), ("^\u{1F409}{2}$", ["\u{1F409}\u{1F409}"], ["\u{1F409}"]),
  ]) func escapes(pattern: String, matching: [String], others: [String]) throws {
    try check(pattern, matching: matching, others: others)
  }

  @Test(arguments: [
    ("\\ba", ["a", "-a", "éa"], ["ba", "_a", "1a"]), ("a\\b", ["a", "a-", "aé"], ["ab"]),
    ("\\b", ["a", "-a-"], ["", "-", "é"]), ("\\B", ["", "ab", "-"], ["a"]),
    ("^\\Bx", [], ["x"]), ("\\B-\\B", ["-", "--"], ["a-b"]), ("^\\b$", [], ["", "a"]),
    ("(?m:^b$)", ["a\nb", "b\r\na", "a\u{2028}b\u{2029}"], ["ab", "a\nba"]),
    ("^(?m:a$)", ["a\nb", "a"], ["ab", "b\na"]), ("^a(?-m:$)", ["a"], ["a\nb"]),
    ("^(?s:(?-s:.).)$", ["a\n"], ["\na"]), ("^(?i:ab)c$", ["ABc", "aBc"], ["abC"]),
    ("^(?i:[a-c]+)$", ["aBC"], ["d"]), ("^(?i:[^a])$", ["b"], ["a", "A"]),
    ("^(?i:s\u{E9})$", ["SÉ", "\u{17F}é"], ["se"]), ("^(?i:k)$", ["K", "\u{212A}"], ["x"]),
    ("^(?i:\\w)$", ["\u{17F}", "\u{212A}", "a"], ["é"]), ("^(?i:\\W)$", ["é"], ["\u{17F}", "S"]),
    ("^(?i:\\p{Lu})$", ["a", "A", "é"], ["1"]), ("^(?i:\\bx)", ["x", "X"], ["y"]),
    ("^(?i:a(?-i:b))$", ["Ab", "ab"], ["aB"]), ("^(?i:\u{3C3})$", ["\u{3A3}", "\u{3C2}"], ["s"]),
    ("^(?i:\u{DF})$", ["\u{1E9E}"], ["ss"]), ("^(?i:\u{130})$", ["\u{130}"], ["i", "I"]),
    ("^(?i:\u{AB70})$", ["\u{13A0}"], ["x"]), ("^(?i:\u{10D50})$", ["\u{10D70}"], ["x"]),
  ]) func `boundaries and modifiers match as specified`(
    pattern: String, matching: [String], others: [String]
  ) throws {
    try check(pattern, matching: matching, others: others)
  }
}

func check(_ pattern: String, matching: [String], others: [String]) throws {
  for text in matching {
    #expect(try matches(pattern, text), "\(pattern) should match \(text.debugDescription)")
  }
  for text in others {
    #expect(try !matches(pattern, text), "\(pattern) shouldn't match \(text.debugDescription)")
  }
}
