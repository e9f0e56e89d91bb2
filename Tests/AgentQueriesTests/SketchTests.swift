import AgentJSON
import AgentQueries
import TestSupport
import Testing

struct SketchTests {
  /// The batch of `columns` over a window of all values, a pane for some thousands of them.
  private func batch(_ columns: String, _ values: [JSONValue]) throws -> QueryBatch {
    let run = try QueryRun("x => \(columns) over last hour every 10 seconds", span: "since ts 0")
    run.start(at: 10_000_000)
    for (number, value) in values.enumerated() { run.take(Int64(number) * 2, ["v": value]) }
    run.take(Int64(values.count) * 2 + 10_000, [:])
    return try #require(run.batches.last)
  }

  @Test func `quantiles and distinct counts are exact up to 10,000 values`() throws {
    let values = (0..<10_000).map { JSONValue($0 * 7_919 % 10_000) }
    let batch = try batch("median(v) as m, percentile(v, 95) as p, dcount(v) as u", values)
    #expect(batch.sketches.isEmpty)
    let row = try #require(batch.rows.first)
    #expect(row["m"] == 4_999.5)
    #expect(row["p"] == 9_499.05)
    #expect(row["u"] == 10_000)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `quantiles and distinct counts beyond 10,000 values are estimates within their bounds`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let numbers = (0..<30_000).map { _ in
      let number = Double.random(in: 0...1, using: &random)
      return number * number * number * 1e6 - 1_000
    }
    let batch = try batch(
      "median(v) as m, percentile(v, 99) as p, dcount(v) as u, avg(v) as a",
      numbers.map { JSONValue($0) })
    #expect(batch.sketches == ["m", "p", "u"])
    let row = try #require(batch.rows.first)
    let sorted = numbers.sorted()
    for (name, share) in [("m", 0.5), ("p", 0.99)] {
      let exact = sorted[Int((share * 29_999).rounded())]
      let estimate = try #require(row[name]?.double)
      #expect(abs(estimate - exact) <= 0.0051 * abs(exact), "\(name)")
    }
    // Four standard errors of 0.81 %.
    let distinct = try #require(row["u"]?.int)
    #expect(abs(distinct - 30_000) < 972)
  }

  @Test func `a sketch's extremes are exact, also for negative values`() throws {
    let values = (0..<20_001).map { JSONValue($0 - 10_000) }
    let row = try #require(
      try batch("percentile(v, 0) as lo, median(v) as m, percentile(v, 100) as hi", values).rows
        .first)
    #expect(row["lo"] == -10_000)
    #expect(row["m"] == 0)
    #expect(row["hi"] == 10_000)
  }

  @Test func `the same events give the same estimate in any order`() throws {
    let values = (0..<20_000).map { JSONValue("user \($0)") }
    let forward = try batch("dcount(v) as u", values)
    let backward = try batch("dcount(v) as u", values.reversed())
    #expect(forward.rows.first?["u"] == backward.rows.first?["u"])
  }

  @Test func `a value made of estimates is marked as an estimate`() throws {
    let run = try QueryRun(
      "x => dcount(v) as u, count() as n every second => max(u) as most every 10 seconds",
      span: "since ts 0")
    run.start(at: 1_000_000)
    for number in 0..<11_000 { run.take(5, ["v": JSONValue(number)]) }
    run.take(20_000, [:])
    #expect(run.batches.first?.sketches == ["most"])
  }

  @Test func `a list keeps the earliest 10,000 values and is marked as cut`() throws {
    let values = (0..<25_000).map { JSONValue($0) }
    let batch = try batch("list(v) as l, set(v) as s", values)
    #expect(batch.sketches == ["l", "s"])
    let expected = JSONValue.array(Array(values.prefix(10_000)))
    #expect(batch.rows.first?["l"] == expected)
    #expect(batch.rows.first?["s"] == expected)
  }
}
