import AgentJSON
import AgentQueries
import Testing

/// Integers of 64 bits are exact, where no double has them.
struct ExactNumberTests {
  private func value(_ expression: String) throws -> JSONValue {
    let samples = [Sample(1, ["big": 9_007_199_254_740_993, "ns": 1_795_399_229_885_123_457])]
    return try #require(
      try QueryRun.rows("x => \(expression) as v", samples, end: 10).first?["v"])
  }

  @Test(arguments: [
    ("big % 10", "3"), ("big % 2", "1"), ("9223372036854775807 % 10", "7"), ("ns % 10", "7"),
    ("-big % 10", "-3"), ("big / 1", "9007199254740993"), ("big * 3 / 3", "9007199254740993"),
    ("round(big)", "9007199254740993"), ("floor(big)", "9007199254740993"),
    ("ceil(big)", "9007199254740993"), ("floor(ns, 1000)", "1795399229885123000"),
    ("floor(9223372036854775807, 1000)", "9223372036854775000"),
    ("floor(-9223372036854775807, 10)", "-9223372036854775810"),
    ("round(ns, -3)", "1795399229885123000"), ("round(big, 2)", "9007199254740993"),
    ("abs(-big)", "9007199254740993"), ("7 / 2", "3.5"), ("-7 % 3", "-1"), ("7 % 0", "null"),
    ("floor(7.5)", "7"), ("floor(-7, 5)", "-10"), ("round(1250, -2)", "1300"),
  ])
  func `integers stay exact`(expression: String, expected: String) throws {
    let value = try value(expression)
    let wanted = try JSONValue(parsing: expected)
    if case .number(let number) = wanted, number.int == nil, number.double.magnitude > 0x1p53 {
      // Beyond 64 bits the nearest double is as good as it gets.
      #expect(value.double == number.double)
    } else {
      #expect(value == wanted)
    }
  }

  @Test func `two unequal texts have an order`() throws {
    let samples = [Sample(1, ["a": "caf\u{e9}", "b": "cafe\u{301}"])]
    let rows = try QueryRun.rows("x => a == b as e, a < b as l, a > b as g", samples, end: 10)
    #expect(rows.first == ["e": false, "l": false, "g": true])
  }

  @Test(arguments: [
    "x n:[-10 TO 0]", #"x n:["-10" TO "0"]"#, #"x n:["-10" TO 0]"#, "x n:[-10 TO *]",
  ])
  func `a range of negative numbers may be quoted`(text: String) throws {
    #expect(try QueryRun.rows(text, [Sample(1, ["n": -5])], end: 10).count == 1)
  }

  @Test func `hints for other servers change nothing`() throws {
    let samples = [Sample(1, ["n": 1]), Sample(2, ["n": 2])]
    let rows = try QueryRun.rows("x .flags:nocount .flags:reversed => n", samples, end: 10)
    #expect(rows == [["n": 1], ["n": 2]])
  }
}
