import AgentJSON
import AgentQueries
import Testing

/// Queries that go on where an earlier run was.
struct QueryContinuationTests {
  @Test(arguments: [
    QueryMark.position(0), .position(.max), .moment(-5), .moment(1_800_000_000_000),
  ])
  func `a mark is read as it was written`(mark: QueryMark) {
    #expect(QueryMark(parsing: mark.text) == mark)
  }

  @Test(arguments: ["", "p", "p-1", "x7", "t", "t1.5", "p99999999999999999999", "7"])
  func `a text that is no mark is refused`(text: String) {
    #expect(QueryMark(parsing: text) == nil)
  }

  private func continuation(_ text: String, after mark: QueryMark?, at now: Int64)
    throws -> QueryContinuation
  {
    try QueryPlan(Query(parsing: text)).continuation(after: mark, at: now)
  }

  @Test(arguments: [
    "x", "x => n, m as k", "x => @filter n > 1 => @set n * 2 as m", "x => @throttle 1, 1 second",
    "x => [ @filter n > 1 union @filter n < 0 ]",
  ])
  func `a query without windows continues after the last event`(text: String) throws {
    #expect(try continuation(text, after: .position(7), at: 100_000) == .rows(after: 7))
    #expect(try continuation(text, after: nil, at: 100_000) == .rows(after: nil))
    // A query that had windows when it ran last.
    #expect(try continuation(text, after: .moment(7), at: 100_000) == .rows(after: nil))
  }

  @Test(arguments: [
    ("x => count() every 10 seconds", 90_000, 90_000),
    ("x => count() over last minute every 10 seconds", 40_000, 90_000),
    ("x => count() over last minute every 10 seconds => @filter count > 1", 40_000, 90_000),
    ("x => @debounce 5 seconds", 85_000, 90_000),
    (
      "x => count() as n every 10 seconds => sum(n) over last minute every 10 seconds", 40_000,
      40_000
    ),
    ("x => count() as n over current minute every 10 seconds", 60_000, 90_000),
    (
      "x => [ count() as a every 10 seconds union count() as b over last 30 seconds every 10 seconds ]",
      70_000, 90_000
    ),
  ])
  func `a query with windows reads back as far as they reach`(
    text: String, rows: Int64, outputs: Int64
  ) throws {
    #expect(
      try continuation(text, after: .moment(90_000), at: 100_000)
        == .outputs(rows: rows, outputs: outputs, silent: 90_000))
  }

  @Test(arguments: [
    "x => count() over all every second", "x => count()", "x => @latest",
    "x => count() over last 10 items every item",
    "x => [ @filter n > 1 union count() as c every second ]",
  ])
  func `a query that depends on its whole past starts anew`(text: String) throws {
    #expect(try continuation(text, after: .moment(90_000), at: 100_000) == .anew)
  }

  @Test func `a mark far ahead of the clock is ignored, and an ended span can't continue`() throws {
    let text = "x => count() every 10 seconds"
    #expect(
      try continuation(text, after: .moment(1_000_000), at: 100_000)
        == .outputs(rows: 100_000, outputs: 100_000, silent: 100_000))
    let plan = try QueryPlan(Query(parsing: text))
    let past = try QuerySpan(parsing: "from ts 0 to ts 5")
    #expect(plan.continuation(after: .moment(5), span: past, at: 100_000) == .anew)
  }

  @Test(arguments: [
    "x => count() as n every second",
    "x => count() as n over last 5 seconds every second",
    "x => count() as n, last(v) as l by k over last 7 seconds every 2 seconds => @sort k",
    "x => count() as n every second => sum(n) as s over last 4 seconds every 2 seconds",
    "x => count() as n over current minute every second",
    "x => @debounce 300 milliseconds by k",
    "x => [ count() as a every second union max(v) as b every second ]",
  ])
  func `outputs after a break equal those of a query without one`(text: String) throws {
    let samples = (0..<600).map { number in
      // Nothing for some seconds, too.
      let time = Int64(number) * 100 + (number > 300 ? 4_000 : 0)
      return Sample(time, ["k": JSONValue(number % 3), "v": JSONValue(number)])
    }
    let whole = try QueryRun(text, lateness: 500, after: nil, at: 0)
    whole.start(at: 0)
    whole.endHistory(at: 0)
    for sample in samples {
      whole.advance(to: sample.time)
      whole.take(sample)
    }
    whole.advance(to: 70_000)

    for stop in [1_250, 17_000, 32_999, 40_100] as [Int64] {
      let first = try QueryRun(text, lateness: 500, after: nil, at: 0)
      first.start(at: 0)
      first.endHistory(at: 0)
      for sample in samples where sample.time < stop {
        first.advance(to: sample.time)
        first.take(sample)
      }
      let start = stop + 3_000
      let mark = try #require(first.batches.last?.mark ?? first.query.mark(at: 0))
      let second = try QueryRun(text, lateness: 500, after: mark, at: start)
      second.start(at: start)
      let begin = second.query.history.begin
      for sample in samples where sample.time < start && sample.time >= begin {
        second.take(sample)
      }
      second.endHistory(at: start)
      for sample in samples where sample.time >= start {
        second.advance(to: sample.time)
        second.take(sample)
      }
      second.advance(to: 70_000)
      #expect(first.batches + second.batches == whole.batches, "\(stop)")
    }
  }

  @Test func `empty outputs are emitted after a break`() throws {
    let text = "x => count() as n over last 5 seconds every second"
    let run = try QueryRun(text, after: .moment(10_000), at: 14_500)
    run.start(at: 14_500)
    run.endHistory(at: 14_500)
    run.advance(to: 16_000)
    #expect(run.batches.map(\.time) == [11_000, 12_000, 13_000, 14_000, 15_000, 16_000])
    #expect(run.batches.map(\.mark) == run.batches.map { .moment($0.time) })
  }

  @Test func `an event's row has the mark of its place`() throws {
    let run = try QueryRun("x => n", after: nil, at: 5)
    run.start(at: 5)
    run.take(1, ["n": 1])
    run.take(9, ["n": 2])
    #expect(run.batches.map(\.mark) == [.position(1), .position(2)])
    #expect(run.batches.last?.mark.map(\.text) == "p2")
  }

  @Test func `a past window without events emits its empty rows`() throws {
    let run = try QueryRun("x => count() as n every second", span: "from ts 5000 to ts 8000")
    run.start(at: 100_000)
    run.endHistory(at: 100_000)
    #expect(run.rows == [["n": 0], ["n": 0], ["n": 0]])
    let all = try QueryRun("x => count() as n every second", span: "from ts 0 to ts 8000")
    all.start(at: 100_000)
    all.endHistory(at: 100_000)
    #expect(all.rows.isEmpty)
  }
}
