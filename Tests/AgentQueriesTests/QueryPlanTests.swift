import AgentJSON
import AgentQueries
import Testing

struct QueryPlanTests {
  /// The failure of a query, and the piece of text that fails.
  private func failure(_ text: String) throws -> (message: String, piece: String) {
    let query = try Query(parsing: text)
    do throws(QueryError) {
      _ = try QueryPlan(query)
    } catch {
      return (error.message, QueryText(text).text(of: error.range))
    }
    Issue.record("no error: \(text)")
    return ("", "")
  }

  @Test func `a query that can't be run is refused with its place`() throws {
    let cases: [(text: String, message: String, piece: String)] = [
      ("x => a, count() every minute", "say which value is meant", "a"),
      ("x => a every minute", "need an aggregation", "every minute"),
      ("x => a over last minute", "need an aggregation", "last minute"),
      ("x => percentile(a, 101) every minute", "from 0 to 100", "101"),
      ("x => percentile(a, b) every minute", "from 0 to 100", "b"),
      ("x => count() over last month every 7 minutes", "divides an hour", "last month"),
      ("x => count() over last year every item", "write days", "last year"),
      ("x => count() over last 1000 days every ms", "1,000,000 times", "last 1000 days"),
      ("x => count() over last 2000000 items every item", "1,000,000 items", "last 2000000 items"),
      ("x " + String(repeating: "=> @filter a ", count: 201), "at most 200 pipes", "@filter a"),
      ("x => @debounce 1 month", "write the time in days", "@debounce 1 month"),
    ]
    for example in cases {
      let found = try failure(example.text)
      #expect(found.message.contains(example.message), "\(example.text): \(found.message)")
      #expect(found.piece == example.piece, "\(example.text)")
    }
  }

  @Test func `a join needs the same moments and different names`() throws {
    #expect(
      try failure("x => [ count() every minute join sum(a) every hour ]").message
        .contains("the same “every”"))
    #expect(
      try failure("x => [ count() every minute join count() every minute ]").message
        .contains("have a column “count”"))
    _ = try QueryPlan(
      Query(
        parsing: "x => [ count() every minute join sum(a) every minute join max(a) every minute ]"))
    _ = try QueryPlan(
      Query(parsing: "x => [ count() by k every minute join on k max(a) by k every minute ]"))
  }

  @Test func `a plan describes its output and steps`() throws {
    let plan = try QueryPlan(
      Query(
        parsing: "x k:1 => count(), max(a) as m by pair over last hour every minute "
          + "=> @sort m desc => @set 1 as one"))
    #expect(plan.columns == ["timestamp", "pair", "count", "m", "one"])
    #expect(plan.groups == ["pair"])
    #expect(
      plan.summary == [
        "filter: x k:1", "window: count, m by pair over last hour every minute", "sort", "set one",
      ])
    #expect(try QueryPlan(Query(parsing: "x => @filter a > 1")).columns == nil)
    #expect(try QueryPlan(Query(parsing: "x => a, b => @yield a")).columns == nil)
  }

  @Test func `statistics show what each step has taken and holds`() throws {
    let run = try QueryRun("x => count() as n by k over last minute every second => @filter n > 1")
    run.start(at: 0)
    for number in 0..<30 { run.take(Int64(number) * 100, ["k": JSONValue(number % 3)]) }
    run.advance(to: 3_000)
    let statistics = run.query.statistics
    #expect(statistics.map(\.name) == ["window", "filter"])
    #expect(statistics.map(\.rowsIn) == [30, 9])
    #expect(statistics.map(\.rowsOut) == [9, 9])
    #expect(statistics[0].groups == 3)
    #expect(statistics[0].panes == 9)
    #expect((100...100_000).contains(statistics[0].bytes))
    #expect(statistics[1].json["stage"] == "filter")
  }
}

/// What a plan says that people should know.
@Suite struct QueryNoteTests {
  @Test(arguments: [
    ("a => count() by b every minute => @filter cont > 1", ["“cont”"]),
    ("a => count() by b every minute => @filter count > 1 && b == \"x\"", []),
    ("a => b, c => @sort d, e desc, d", ["“d”", "“e”"]),
    ("a => b => avg(c) every minute", ["“c”"]),
    ("a => b => @set b + c as d => @filter c > d", ["“c”", "“c”"]),
    ("a => b => @throttle 1, 5 seconds by z", ["“z”"]),
    ("a => b as o => o.name, o->name, o.x.y, p.x", ["“p.x”"]),
    ("a => b => @filter timestamp > 5", []),
    // Which columns there are isn't known.
    ("a => @filter b > 1", []), ("a => newmap(\"x\", 1) as m => @yield m => x", []),
    ("a => b => @yield => c", []),
  ])
  func `a column that no row can have is reported`(text: String, columns: [String]) throws {
    let notes = try QueryPlan(Query(parsing: text)).notes
    #expect(notes.map { $0.split(separator: " ")[4] } == columns.map { $0[...] }, "\(notes)")
  }

  @Test func `the nearest column is proposed`() throws {
    let plan = try QueryPlan(
      Query(parsing: "a => count() by pair every minute => @filter cont > 1"))
    #expect(
      plan.notes == [
        "There is no column “cont” there, so it is null: the rows have “timestamp”, “pair”, “count”. "
          + "Did you mean “count”?"
      ])
  }
}
