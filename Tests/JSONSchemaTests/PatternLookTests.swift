import AgentJSON
import JSONSchema
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
    try check(pattern, matching, others)
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
    try check(pattern, matching, others)
  }

  /// No automaton can match this, and trying all ways would take longer than anybody waits.
  private static let endless = "^(a*)*(a*)*(a*)*(a*)*b\\1$"

  @Test func `a pattern that takes too many steps is given up with a message`() throws {
    let schema = try Schema(["properties": ["name": ["pattern": .string(Self.endless)]]])
    let text = String(repeating: "a", count: 60)
    let document = JSONDocument(["name": .string(text)])
    let failures = schema.validate(document.root)
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("the pattern took too many steps") == true)
    #expect(!schema.isValid(document.root))
  }

  @Test(arguments: [
    JSONValue.object(["not": ["pattern": .string(endless)]]),
    ["if": ["pattern": .string(endless)], "then": false],
    ["patternProperties": [endless: false]],
  ]) func `a match that was given up is not valid under any keyword`(value: JSONValue) throws {
    let schema = try Schema(value)
    let text = String(repeating: "a", count: 60)
    let isOfKeys = value["patternProperties"] != nil
    let document = JSONDocument(isOfKeys ? .object([text: 1]) : .string(text))
    #expect(!schema.isValid(document.root))
    #expect(!schema.validate(document.root).isEmpty)
    #expect(schema.isValid(isOfKeys ? ["c": 1] : "c"))
  }

  @Test func `a text with escapes is matched by its value`() throws {
    let schema = try Schema(["pattern": "^é\n$"])
    #expect(schema.isValid(try JSONDocument(parsing: #""\u00e9\n""#).root))
    #expect(!schema.isValid(try JSONDocument(parsing: #""\\u00e9\n""#).root))
  }
}
