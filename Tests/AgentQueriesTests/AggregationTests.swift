import AgentJSON
import AgentQueries
import Testing

struct AggregationTests {
  /// The one row of `=> columns` over values of `v`, a millisecond apart.
  private func row(_ columns: String, _ values: [JSONValue?]) throws -> JSONObject {
    let samples = values.enumerated().map { number, value in
      Sample(Int64(number), value.map { ["v": $0] } ?? [:])
    }
    let rows = try QueryRun.rows("x => \(columns) at the end", samples, end: 1_000_000)
    return try #require(rows.first)
  }

  @Test func `an empty group has counts and sums of 0, empty lists and null otherwise`() throws {
    let row = try row(
      """
      count() as n, count(v) as some, sum(v) as s, avg(v) as a, min(v) as lo, max(v) as hi,
      first(v) as f, last(v) as l, firstv(v) as fv, lastv(v) as lv, stdev(v) as d, stdevp(v) as dp,
      median(v) as m, percentile(v, 99) as p, dcount(v) as u, list(v) as every_v, set(v) as diff
      """, [])
    #expect(
      row == [
        "n": 0, "some": 0, "s": 0, "a": .null, "lo": .null, "hi": .null, "f": .null, "l": .null,
        "fv": .null, "lv": .null, "d": .null, "dp": .null, "m": .null, "p": .null, "u": 0,
        "every_v": [], "diff": [],
      ])
  }

  @Test func `null, false and missing values count as rows, but not as values`() throws {
    let values: [JSONValue?] = [1, .null, nil, false, "a", true]
    let row = try row("count() as n, count(v) as some, dcount(v) as u, list(v) as l", values)
    #expect(row == ["n": 6, "some": 3, "u": 4, "l": [1, false, "a", true]])
  }

  @Test func `last returns null values, lastv skips them`() throws {
    let row = try row(
      "first(v) as f, firstv(v) as fv, last(v) as l, lastv(v) as lv", [.null, 1, 2, nil])
    #expect(row == ["f": .null, "fv": 1, "l": .null, "lv": 2])
  }

  @Test func `texts aren't summed, but are ordered after numbers`() throws {
    let row = try row("sum(v) as s, avg(v) as a, min(v) as lo, max(v) as hi", [3, "b", 5, "a"])
    #expect(row == ["s": 8, "a": 4, "lo": 3, "hi": "b"])
  }

  @Test func `integers are summed exactly while 64 bits hold them`() throws {
    let large = JSONValue(Int64.max / 2)
    #expect(try row("sum(v) as s", [large, large, 1])["s"] == JSONValue(Int64.max))
    let beyond = try row("sum(v) as s", [large, large, large])["s"]?.double
    #expect(beyond == 1.5 * 0x1p63)
    #expect(try row("sum(v) as s", [JSONValue(Int64.max), 1, -1])["s"]?.double == 0x1p63)
  }

  @Test func `small doubles beside large ones aren't lost`() throws {
    let row = try row("sum(v) as s", [JSONValue(1e100), 1.5, JSONValue(-1e100), 0.25])
    #expect(row["s"] == 1.75)
    let tenths = try self.row("sum(v) as s", Array(repeating: 0.1, count: 1_000))
    #expect(tenths["s"] == 100)
  }

  @Test func `a sum beyond all doubles is null`() throws {
    let greatest = JSONValue(Double.greatestFiniteMagnitude)
    #expect(try row("sum(v) as s", [greatest, greatest])["s"] == .null)
  }

  @Test func `variances of values far from zero keep their digits`() throws {
    let values: [JSONValue?] = [4, 7, 13, 16].map { JSONValue(1_000_000_000 + $0) }
    let row = try row("var(v) as s, varp(v) as p, stdev(v) as d", values)
    #expect(row["s"]?.double == 30)
    #expect(row["p"]?.double == 22.5)
    #expect(row["d"]?.double == 30.0.squareRoot())
  }

  @Test func `quantiles lie between the nearest ranks`() throws {
    let row = try row(
      "median(v) as m, percentile(v, 0) as lo, percentile(v, 25) as q, percentile(v, 100) as hi",
      [10, 40, 20, 30])
    #expect(row == ["m": 25, "lo": 10, "q": 17.5, "hi": 40])
  }

  @Test func `an if selects rows, and several are combined`() throws {
    let row = try row(
      "count():if(v > 2) as n, sum(v):if(v > 1):if(v < 4) as s", [1, 2, 3, 4, 5])
    #expect(row == ["n": 3, "s": 5])
  }

  @Test func `a column may combine several aggregations`() throws {
    let row = try row("(max(v) - min(v)) / count() as spread, count() > 2 as many", [1, 5, 9, 9])
    #expect(row == ["spread": 2, "many": true])
  }

  @Test func `equal numbers are one value, however they are written`() throws {
    let row = try row("dcount(v) as u, set(v) as s", [1, 1.0, "1", 2])
    #expect(row == ["u": 3, "s": [1, "1", 2]])
  }
}
