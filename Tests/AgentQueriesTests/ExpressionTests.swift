import AgentJSON
import AgentQueries
import Testing

struct ExpressionTests {
  static let row: JSONObject = [
    "timestamp": 1_709_201_100_500, "type": "t", "count": 150, "price": 2.5, "name": "Ann",
    "text": "7.5", "author": ["name": "Bob", "age": 30], "tags": ["a", "b"], "live": true,
    "none": .null, "a.b": 1, "a": ["b": 2], "curve one": 3, "big": 9_007_199_254_740_993,
  ]

  private func value(_ text: String) throws -> JSONValue {
    try CompiledExpression(parsing: text).evaluate(Self.row, timestamp: 1_000)
  }

  @Test(arguments: [
    ("count + 1", "151"), ("count / 4", "37.5"), ("1 + 2 * 3 - 4", "3"), ("(1 + 2) * 3", "9"),
    ("-count", "-150"), ("- -3", "3"), ("10 % 4", "2"), ("-7 % 4", "-3"), ("1 / 0", "null"),
    ("1 % 0", "null"), ("none + 1", "null"), ("missing * 2", "null"), ("name + 1", "\"Ann1\""),
    ("name + \" \" + author->name", "\"Ann Bob\""), ("big + 1", "9007199254740994"),
    ("big - big", "0"), ("9223372036854775807 + 1", "9.223372036854776e+18"),
    ("0.1 + 0.2", "0.30000000000000004"), ("tags + 1", "null"), ("5 minutes", "300000"),
    ("1 day / 1 hour", "24"), ("2.0 + 1", "3"), ("1e400", nil),
    ("split(\"a\\nb\", \"\\n\")", "[\"a\",\"b\"]"),
    // The edges of what numbers can be.
    ("substring(\"abc\", 5, -9223372036854775808)", "\"\""),
    ("substring(\"abc\", -9223372036854775808, 2)", "\"ab\""),
    ("slice(tags, 9223372036854775807, -9223372036854775808)", "[]"),
    ("range(-9223372036854775808, 9223372036854775807)", "null"),
    ("tags[9223372036854775807]", "null"), ("abs(-9223372036854775808)", "9.223372036854776e+18"),
    ("-9223372036854775808 - 1", "-9.223372036854776e+18"), ("round(1e300, 15)", "1e+300"),
    ("floor(1e300, 1 year)", "null"), ("year(1e300)", "null"), ("pow(10, 400)", "null"),
    ("sqrt(-1)", "null"), ("log(0)", "null"), ("floor(1, 0)", "null"),
    ("year(-62135596800001)", "0"),
    ("formatdate(253402300800000)", "\"10000-01-01T00:00:00.000Z\""),
    ("parsedate(\"2023-02-29\")", "null"), ("parsedate(\"2024-01-01T24:00\")", "null"),
    ("floor(-1, 1 day)", "-86400000"), ("floor(-1, 1 week)", "-259200000"),
    ("floor(-1, 3 months)", "-7948800000"), ("weekday(-1)", "3"),
    // Access.
    ("author.name", "\"Bob\""), ("author->age + 1", "31"), ("author->missing", "null"),
    ("name->first", "null"), ("tags[1]", "\"b\""), ("tags[9]", "null"), ("author['age']", "30"),
    ("a.b", "1"), ("a->b", "2"), ("{curve one} * 2", "6"), ("*->count", "150"), ("_", "\"t\""),
    ("text#", "7.5"), ("name#", "null"), ("price$", "\"2.5\""), ("text#:round()", "8"),
    ("price#round(0)", "3"), ("timestamp", "1709201100500"), ("timestamp()", "1000"),
    // Comparison and truth.
    ("count > 100", "true"), ("count > 150", "false"), ("count >= 150.0", "true"),
    ("name < \"Bob\"", "true"), ("name < 1", "null"), ("none < 1", "null"),
    ("count == 150.0", "true"), ("name == \"ann\"", "false"), ("none == null", "true"),
    ("missing != null", "false"), ("count != null", "true"), ("author == author", "true"),
    ("big > 9007199254740992", "true"), ("big == 9007199254740992", "false"),
    ("false && none", "false"), ("none && false", "false"), ("none && true", "null"),
    ("true || none", "true"), ("none || true", "true"), ("none || false", "null"),
    ("!none", "null"), ("!live", "false"), ("not live", "false"), ("live & count > 1", "true"),
    ("!(count == 1 || count == 2)", "true"), ("missing ?? 7", "7"), ("none ?? missing ?? 1", "1"),
    ("(missing ?? 1) + 1", "2"), ("\\name:ANN", "true"), ("\\name:(x|y)", "false"),
    ("\\-name:x", "true"), ("!\\name:ann", "false"),
    // Lists and records.
    ("(1, 2, count)", "[1,2,150]"), ("(1,)", "[1]"),
    ("(1 as a, name as b)", "{\"a\":1,\"b\":\"Ann\"}"), ("(42 as answer)", "{\"answer\":42}"),
    // Macros.
    ("def double(x): x * 2; count:double() + double(1)", "302"),
    ("def hello(who): \"Hello ${who}!\"; hello(name)", "\"Hello Ann!\""),
    ("def @@limit: 100; def over(&x): x > @@limit; over(count)", "true"),
    ("def f(x): \"a;b\" + x; -- a comment; with a semicolon\n f(\"c\")", "\"a;bc\""),
  ])
  func `an expression has its value`(text: String, expected: String?) throws {
    guard let expected else {
      #expect(throws: QueryError.self) { try value(text) }
      return
    }
    #expect(try value(text).text() == expected)
  }

  @Test(arguments: [
    ("", 1, "missing"), ("1 +", 4, "missing"), ("count = 1", 7, "=="), ("a <> b", 3, "!="),
    ("a and b", 3, "&&"), ("a < b < c", 7, "brackets"), ("a ?? b + c", 8, "brackets"),
    ("a + b ?? c", 7, "brackets"), ("lowr(name)", 1, "Did you mean lower?"),
    ("name:uper()", 6, "Did you mean upper?"), ("cont(a)", 1, "Did you mean count?"),
    ("mx(a)", 1, "Did you mean max?"), ("fist(a)", 1, "Did you mean first?"),
    ("lower(a, b)", 1, "takes 1 argument"),
    ("substring(a)", 1, "2 to 3"), ("(1, 2 as b)", 1, "or none"), ("a[1", 4, "isn't closed"),
    ("a |> b", 3, "supported"), ("a ? b : c", 3, "supported"), ("a:regex(\"x\")", 3, "supported"),
    ("percentile(a)", 1, "2 arguments"), ("sum(count())", 5, "over another"),
    ("sum(a):if()", 1, "one condition"),
    ("(sum(a) / count()):if(x)", 20, "after each aggregation"),
    ("sum(a):if(count() > 1)", 11, "aggregation"),
    ("@@x", 1, "isn't defined"), ("def f(x): x; f(1, 2)", 14, "takes 1"),
    ("def f(): f(); f()", 9, "deep"), ("def f(): 1", 9, "semicolon"), ("a b", 3, "should end"),
    ("def lower(x): x; 1", 5, "meaning already"), ("1 month", 1, "differ in length"),
    ("x by y", 3, "should end"), ("\"open", 1, "isn't closed"),
    ("{}", 1, "braces must hold a name"),
  ])
  func `a text that is no expression is refused with its place`(
    text: String, column: Int, words: String
  ) throws {
    let error = try #require(throws: QueryError.self) { try CompiledExpression(parsing: text) }
    #expect(error.message.contains(words), "\(error)")
    #expect(error.place.column == column, "\(error)")
  }

  @Test func `equal aggregations share one place`() throws {
    let expression = try CompiledExpression(
      parsing: "sum(price#) / count() + sum(price#):if(\\live:true) - sum( price# )")
    #expect(expression.aggregations.map(\.name) == [.sum, .count, .sum])
    #expect(expression.aggregations.map { $0.condition != nil } == [false, false, true])
    #expect(expression.evaluate([:], timestamp: 0, aggregates: [10, 4, 3]) == -4.5)
    #expect(expression.evaluate([:], timestamp: 0) == .null)
  }

  @Test func `min and max are aggregations of one argument and functions of more`() throws {
    #expect(try CompiledExpression(parsing: "max(a)").aggregations.map(\.name) == [.max])
    #expect(try value("max(count, 200, none)") == 200)
    #expect(try value("min(name, \"Bob\")") == "Ann")
    #expect(try value("min(name, 1)") == .null)
  }

  @Test func `a subexpression that doesn't depend on the row is computed once`() throws {
    #expect(try CompiledExpression(parsing: "1 day / 1 hour > 23").constant == true)
    #expect(try CompiledExpression(parsing: "lower(\"ABC\")").constant == "abc")
    #expect(try CompiledExpression(parsing: "timestamp() > 1").constant == nil)
    #expect(try CompiledExpression(parsing: "null ?? 5").constant == 5)
  }

  @Test func `only true counts as true`() throws {
    func isTrue(_ text: String) throws -> Bool {
      try CompiledExpression(parsing: text).isTrue(Self.row, timestamp: 0)
    }
    #expect(try isTrue("live"))
    #expect(try !isTrue("count"))
    #expect(try !isTrue("none"))
    #expect(try !isTrue("none && true"))
  }

  @Test func `a chain of operators is bounded`() throws {
    let long = Array(repeating: "1", count: 200).joined(separator: " + ")
    #expect(try value(long) == 200)
    let endless = Array(repeating: "1", count: 5_000).joined(separator: "+")
    let error = try #require(throws: QueryError.self) { try value(endless) }
    #expect(error.code == .limit)
    let nested = String(repeating: "(", count: 5_000) + "1"
    #expect(try #require(throws: QueryError.self) { try value(nested) }.code == .limit)
    let grown = "def a(x): (x, x, x, x, x, x, x, x); def b(x): a(a(a(x))); b(b(b(1)))"
    #expect(try #require(throws: QueryError.self) { try value(grown) }.code == .limit)
  }
}
