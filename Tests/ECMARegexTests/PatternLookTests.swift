import ECMARegex
import Testing

@Suite struct PatternLookTests {
  @Test(arguments: [
    ("a(?=b)", ["ab", "xab"], ["a", "ac", "b"]), ("a(?!b)", ["a", "ac", "aba"], ["ab", "b"]),
    ("(?<=a)b", ["ab"], ["b", "cb"]), ("(?<!a)b", ["b", "cb"], ["ab"]),
    (
      "^(?=.*[A-Z])(?=.*\\d).{8,}$", ["Passw0rd", "aaaaaaA1"], ["password", "Passw0r", "PASSWORD"]
    ),
    ("^(?!.*\\.\\.)[a-z.]+$", ["a.b", "a"], ["a..b", "A"]),
    ("^(?!con$|nul$)", ["a", "conx"], ["con"]),
    ("^(?=a|b)(?!ab)", ["a", "ba", "b"], ["ab", "c"]), ("^(?:(?!--).)*$", ["a-b"], ["a--b"]),
    ("(?=a)(?=b)", [], ["ab", "a"]), ("(?=(?!a)b)", ["b"], ["a"]), ("(?!(?=a))^.", ["b"], ["a"]),
    ("(?<=^a{2,3})b", ["aab", "aaab"], ["ab", "aaaab"]), ("(?<=\\bx)y", ["xy", "-xy"], ["axy"]),
    ("(?<=(?<!a)b)c", ["bc", "xbc"], ["abc"]), ("(?<=a(?=b))b", ["ab"], ["ac", "b"]),
    ("^(?=)$", [""], ["a"]), ("(?!)", [], ["", "a"]), ("x(?<=)", ["x"], [""]),
    ("(?<!)", [], ["", "a"]), ("(?<=\u{1F409})$", ["\u{1F409}"], ["", "a"]),
    ("(?i:(?<=A)b)", ["aB", "AB"], ["b"]), ("^(?:(?=a)a|b)+$", ["abba"], ["abc"]),
  ]) func `look-around matches as specified`(pattern: String, matching: [String], others: [String])
    throws
  {
    try check(pattern, matching: matching, others: others)
  }

  @Test(arguments: [
    ("^(a|b)\\1$", ["aa", "bb"], ["ab", "a"]), ("^(?<x>.)(?<y>.)\\k<y>\\k<x>$", ["abba"], ["abab"]),
    ("^(a*)b\\1$", ["b", "aba", "aabaa"], ["aab"]), ("\\1(a)", ["a"], [""]),
    ("^(a\\1)$", ["a"], ["aa"]),
    ("^(?:(a)|b)*\\1$", ["ab", "aa", "b"], ["ba c"]), ("^(?:(a)|(b)\\1)+$", ["aab", "ab"], ["c"]),
    ("^(?i:(a)\\1)$", ["aA", "Aa"], ["ab"]),
    ("^(?i:(\u{3C3}))\\1$", ["\u{3C3}\u{3C3}"], ["\u{3C3}\u{3C2}"]),
    ("(?<=\\1(a))b", ["aab"], ["ab"]), ("^(?=(a+))a*b\\1$", ["aba", "aabaa"], ["aab", "aaba"]),
    ("^(?!(a)b)\\1c", ["c"], ["ac", "abc"]), ("^(a?)*?\\1$", ["", "aa"], ["ab"]),
    ("^(.+)\\1+$", ["abab", "aaa"], ["aba", "a"]), ("^(['\"]).*\\1$", ["'a\"'", "\"\""], ["'a\""]),
    ("^(a){2}\\1$", ["aaa"], ["aa"]), ("^(?:(x)|y){2}\\1$", ["yxx", "xy"], ["xyx"]),
    ("\\k<n>(?<n>a)", ["a"], ["b"]), ("^(\u{1F409})\\1$", ["\u{1F409}\u{1F409}"], ["\u{1F409}"]),
    ("^(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10$", ["abcdefghijj"], ["abcdefghija0"]),
  ]) func `back-references match as specified`(
    pattern: String, matching: [String], others: [String]
  ) throws {
    try check(pattern, matching: matching, others: others)
  }

  /// No automaton can match this, and trying all ways would take longer than anybody waits.
  @Test func `a search that takes too many steps is given up`() throws {
    let endless = try Pattern("^(a*)*(a*)*(a*)*(a*)*b\\1$")
    #expect(endless.search(String(repeating: "a", count: 60)) == .exhausted)
    #expect(!endless.matches(String(repeating: "a", count: 60)))
    #expect(endless.search("c") == .differs)
  }
}
