import AgentJSON
import AgentQueries
import Testing

struct QueryPipeTests {
  private func numbers(_ rows: [JSONObject], _ name: String = "n") -> [Int?] {
    rows.map { $0[name]?.int }
  }

  @Test func `a query without pipes returns the events unchanged`() throws {
    let sample = Sample(5, ["type": "x", "n": 1])
    let run = try QueryRun("x")
    run.start(at: 0)
    run.take(sample)
    run.take(6, ["type": "y"])
    #expect(run.batches.map(\.time) == [5])
    #expect(run.batches.map(\.rows) == [[sample.object]])
  }

  @Test func `a selection has the moment and its columns`() throws {
    let rows = try QueryRun.rows("x => n * 2 as double, k", [Sample(5, ["n": 4])], end: 10)
    #expect(rows == [["double": 8, "k": .null]])
  }

  @Test func `a batch is sorted and cut as a whole or by groups`() throws {
    let samples = [3, 1, 2, 5, 4].map { Sample(0, ["k": JSONValue($0 % 2), "n": JSONValue($0)]) }
    let all = "x => count() as c by n, k every second"
    #expect(
      try numbers(QueryRun.rows("\(all) => @sort n", samples, end: 1_000)) == [1, 2, 3, 4, 5])
    #expect(try numbers(QueryRun.rows("\(all) => @top 2, n desc", samples, end: 1_000)) == [5, 4])
    #expect(
      try numbers(QueryRun.rows("\(all) => @top 1, n desc by k", samples, end: 1_000)) == [5, 4])
  }

  @Test func `rows with equal keys keep their order, and null stands first`() throws {
    let samples = [(1, 1), (2, 0), (3, 1), (4, 0)].map { n, k in
      Sample(0, ["n": JSONValue(n), "k": k == 1 ? 1 : .null])
    }
    let query = "x => count() as c by n, k every second => @sort k"
    #expect(try numbers(QueryRun.rows(query, samples, end: 1_000)) == [2, 4, 1, 3])
  }

  @Test func `yield makes a row of an object, and set adds members`() throws {
    let samples = [Sample(5, ["inner": ["a": 1]]), Sample(6, ["inner": 7])]
    #expect(try QueryRun.rows("x => @yield inner", samples, end: 10) == [["a": 1]])
    let rows = try QueryRun.rows("x => @set inner->a as b, 3 as inner", samples, end: 10)
    #expect(rows.map { $0["b"] } == [1, .null])
    #expect(rows.map { $0["inner"] } == [3, 3])
  }

  @Test func `latest returns the last batch at the end`() throws {
    let run = try QueryRun("x => count() as n by k every second => @latest")
    run.start(at: 0)
    run.take(1, ["k": 1])
    run.take(1_001, ["k": 1])
    run.take(1_002, ["k": 2])
    run.advance(to: 5_000)
    #expect(run.batches.isEmpty)
    run.stop(at: 5_000)
    #expect(run.rows == [["k": 1, "n": 1], ["k": 2, "n": 1]])
    #expect(run.kinds.suffix(2) == ["event", "stop"])
  }

  @Test func `throttle passes only its number of rows in any period`() throws {
    let times: [Int64] = [0, 100, 200, 1_000, 1_050, 1_100, 1_101, 2_500]
    let samples = times.map { Sample($0, ["n": JSONValue($0), "k": 1]) }
    let passed = try QueryRun.rows("x => @throttle 2, 1 second", samples, end: 9_000)
    #expect(numbers(passed) == [0, 100, 1_000, 1_100, 2_500])
    let other = samples.map { Sample($0.time, ["n": JSONValue($0.time), "k": JSONValue($0.time)]) }
    #expect(try QueryRun.rows("x => @throttle 2, 1 second by k", other, end: 9_000).count == 8)
  }

  @Test func `debounce passes a row that no other followed`() throws {
    let run = try QueryRun("x => @debounce 1 second by k")
    run.start(at: 0)
    run.take(0, ["n": 1, "k": 1])
    run.advance(to: 500)
    run.take(500, ["n": 2, "k": 1])
    run.take(600, ["n": 3, "k": 2])
    run.advance(to: 1_499)
    #expect(run.rows.isEmpty)
    run.advance(to: 1_500)
    #expect(numbers(run.rows) == [2])
    run.take(1_700, ["n": 4, "k": 1])
    run.stop(at: 1_800)
    #expect(numbers(run.rows) == [2, 3, 4])
  }

  @Test func `a period includes the shorter period that ends with it`() throws {
    let run = try QueryRun("x => count() as n every second => sum(n) as n every 10 seconds")
    run.start(at: 0)
    for number in 0..<40 {
      run.advance(to: Int64(number) * 500)
      run.take(Int64(number) * 500, [:])
    }
    run.advance(to: 20_000)
    #expect(numbers(run.rows) == [20, 20])
    #expect(run.batches.map(\.time) == [10_000, 20_000])
  }

  @Test func `union returns the rows of all chains`() throws {
    let samples = [Sample(0, ["n": 1]), Sample(10, ["n": 2])]
    let rows = try QueryRun.rows(
      "x => [ max(n) as hi every second union min(n) as lo every second ] => @set 1 as seen",
      samples, end: 1_000)
    #expect(rows == [["hi": 2, "seen": 1], ["lo": 1, "seen": 1]])
    let each = try QueryRun.rows("x => [ @filter n > 1 union n as m ]", samples, end: 1_000)
    #expect(each.map { $0["m"] ?? $0["n"] } == [1, 2, 2])
  }

  @Test func `a union of several outputs stays in order of time`() throws {
    let run = try QueryRun(
      "x => [ count() as n every second union count() as n over all every 2 seconds ] "
        + "=> sum(n) as n every 4 seconds")
    run.start(at: 0)
    for number in 0..<8 { run.take(Int64(number) * 1_000, [:]) }
    run.advance(to: 8_000)
    #expect(numbers(run.rows) == [4 + 2 + 4, 4 + 6 + 8])
  }

  @Test func `join combines rows of one moment by their fields`() throws {
    let samples = [(1, 10), (1, 20), (2, 5)].map {
      Sample(0, ["k": JSONValue($0.0), "n": JSONValue($0.1)])
    }
    let rows = try QueryRun.rows(
      "x => [ sum(n) as s by k every second join on k count():if(n > 9) as c by k every second ]",
      samples, end: 1_000)
    #expect(rows == [["k": 1, "s": 30, "c": 2], ["k": 2, "s": 5, "c": 0]])
    let all = try QueryRun.rows(
      "x => [ sum(n) as s by k every second join max(n) as m every second ]", samples, end: 1_000)
    #expect(all == [["k": 1, "s": 30, "m": 20], ["k": 2, "s": 5, "m": 20]])
  }

  @Test func `at the end emits when the span is over`() throws {
    let samples = (0..<10).map { Sample(Int64($0) * 100, ["n": JSONValue($0)]) }
    #expect(try QueryRun.rows("x => count() as n", samples, end: 1_000) == [["n": 10]])
    #expect(
      try QueryRun.rows("x => sum(n) as n over last 250 ms at the end", samples, end: 1_000)
        == [["n": 17]])
    #expect(
      try QueryRun.rows("x => list(n) as n over last 3 items at the end", samples, end: 1_000)
        == [["n": [7, 8, 9]]])
  }
}
