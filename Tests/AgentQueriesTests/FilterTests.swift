import AgentJSON
import AgentQueries
import Testing

struct FilterTests {
  static let event: JSONObject = [
    "type": "trades", "pair": "XBT", "amount": 2.5, "user": ["name": "Ann B"],
    "tags": ["a", "b", 7], "live": true, "gone": .null, "code": "0042", "a.b": 1,
    "a": ["b": 2, "c": 3], "city": "Zürich", "status": 503, "big": 9_007_199_254_740_993,
  ]

  @Test(arguments: [
    // What the former subset had.
    ("trades", true), ("TRADES", true), ("*", true), ("quotes", false), ("type:trades", true),
    ("trades pair:XBT", true), ("trades pair:xbt", true), ("pair:XBT", true),
    ("trades pair:ETH", false), ("* amount:2.50", true), ("* amount:2.51", false),
    ("* user.name:\"Ann B\"", true), ("* user.name:Ann", false), ("* tags:b", true),
    ("* missing:*", false), ("* pair:*", true), ("* live:true", true), ("* gone:null", true),
    ("* gone:*", true), ("* a.b:1", true), ("* a.b:2", false), ("* a.c:3", true), ("\"*\"", false),
    ("* tags:7", true), ("* user:x", false), ("* big:9007199254740992", false),
    ("* big:9007199254740993", true),
    // Operators.
    ("trades -pair:ETH", true), ("trades -pair:XBT", false), ("trades -missing:*", true),
    ("trades pair:(ETH|XBT)", true), ("trades pair:(ETH|LTC)", false),
    ("quotes | trades", true), ("(quotes|trades) pair:XBT", true),
    ("trades pair:ETH | live:true", true), ("trades & pair:XBT & live:true", true),
    ("* -(pair:XBT live:false)", true), ("* -(pair:XBT live:true)", false),
    ("* tags:(a & b)", true), ("* tags:(a c)", false), ("* tags:-c", true), ("* -quotes", true),
    ("* -trades", false), ("trades pair:XBT || quotes && live:false", true),
    // Patterns.
    ("tr*des", true), ("* pair:x*", true), ("* pair:?b?", true), ("* pair:?", false),
    ("* pair:*t", true), ("* pair:*b*t*", true), ("* pair:x*b", false), ("* city:z?rich", true),
    ("* status:5*", true), ("* status:4*", false), ("* pair:\"x*\"", false),
    // Ranges.
    ("* amount:[2 TO 3]", true), ("* amount:[2.5 TO 2.5]", true), ("* amount:[3 TO *]", false),
    ("* amount:[* TO 2.5]", true), ("* amount:[-1, 3]", true), ("* amount:[* TO *]", true),
    ("* pair:[a TO z]", true), ("* pair:[1 TO 2]", false), ("* amount:[a TO z]", false),
    ("* code:[40 TO 50]", false), ("* pair:[\"x\" TO *]", true), ("* pair:[y TO *]", false),
    ("* tags:[6 TO 8]", true), ("* big:[9007199254740993 TO *]", true),
    ("* big:[9007199254740994 TO *]", false),
    // Fuzzy terms.
    ("* pair:XBX~1", true), ("* pair:XXX~1", false), ("* pair:XXX~2", true), ("* pair:BT~1", true),
    ("* city:zurich~1", true), ("tradess~1", true),
    // Exact and numeric fields.
    ("* pair!:XBT", true), ("* pair!:xbt", false), ("* status!:503.0", true),
    ("* pair!:(ETH|XBT)", true), ("* amount#:2.5", true), ("* tags#:[6 TO 8]", true),
    // Blanks, comments, hints.
    ("trades -- a comment\n  pair:XBT", true), ("trades .flags:nocount pair:ETH", false),
    ("trades .flags:nocount", true),
  ])
  func `a filter matches its events`(text: String, expected: Bool) throws {
    let filter = try EventFilter(parsing: text)
    #expect(filter.matches(Self.event) == expected)
  }

  @Test func `a number field also takes a text that is a number`() throws {
    let filter = try EventFilter(parsing: "* code#:7")
    #expect(filter.matches(["type": "t", "code": "7.0"]))
    #expect(!filter.matches(["type": "t", "code": "seven"]))
    #expect(try !EventFilter(parsing: "* code:7").matches(["type": "t", "code": "7.0"]))
  }

  @Test(arguments: [
    ("", 1, 1, "empty"), ("trades quotes", 1, 8, "only the first word"),
    ("trades pair:", 1, 13, "value is missing"), ("trades x:\"open", 1, 10, "isn't closed"),
    (":x", 1, 1, "name is missing"), ("trades x>1", 1, 9, "range"),
    ("trades\n  x:[1 TO a]", 2, 5, "number to number"), ("trades x:[1 TO", 1, 15, "missing"),
    ("trades (a", 1, 10, "isn't closed"), ("trades x:a~", 1, 12, "edits"),
    ("trades x:a~9", 1, 10, "supported"), ("* x:-5", 1, 5, "quote a negative"),
    ("* !x:1", 1, 3, "hyphen"), ("trades .flags:other", 1, 8, "supported"),
    ("trades | ", 1, 10, "missing"), ("* x!:a*", 1, 6, "supported"), ("* x#:a", 1, 6, "number"),
    ("trades @filter", 1, 8, "arrow"), ("*:x", 1, 1, "field's name"), ("a)", 1, 2, "end here"),
    ("tr\u{E4}de quotes", 1, 7, "only the first word"),
  ])
  func `a text that is no filter is refused with its place`(
    text: String, line: Int, column: Int, words: String
  ) throws {
    let error = try #require(throws: QueryError.self) { try EventFilter(parsing: text) }
    #expect(error.message.contains(words), "\(error)")
    #expect(error.place.line == line && error.place.column == column, "\(error)")
  }

  @Test func `an error shows the line with a caret`() throws {
    let error = try #require(throws: QueryError.self) {
      try EventFilter(parsing: "trades\n  pair:(a|b live")
    }
    #expect(
      error.description == """
        query:2:17: the bracket opened at 2:8 isn't closed; the query ends.
          pair:(a|b live
                        ^
        """)
  }

  @Test func `a filter's certain requirements are known`() throws {
    func needs(_ text: String) throws -> FilterRequirements {
      try EventFilter(parsing: text).requirements
    }
    #expect(try needs("*").types == nil)
    #expect(try needs("Trades pair:XBT x:[1 TO 2]").types == ["trades"])
    #expect(try needs("trades pair:XBT").equalities.map(\.values) == [["xbt"]])
    #expect(try needs("(a|b) x:1").types == ["a", "b"])
    #expect(try needs("a x:1 | b").types == ["a", "b"])
    #expect(try needs("a x:1 | b").equalities.isEmpty)
    #expect(try needs("a x:1 | a x:2 y:3").equalities.map(\.values) == [["1", "2"]])
    #expect(try needs("a | x:1").types == nil)
    #expect(try needs("* -a").types == nil)
    #expect(try needs("a*").types == nil)
    #expect(try needs("* x#:1").equalities.isEmpty)
    #expect(try needs("* x#:[1 TO *] y:[a TO b]").ranges.map(\.upper) == [.infinity])
    #expect(try needs("* x:[1 TO 2] | y:1").ranges.isEmpty)
    #expect(try needs("a p:(x|y) q!:Z").equalities.map(\.field) == ["q", "p"])
  }
}
