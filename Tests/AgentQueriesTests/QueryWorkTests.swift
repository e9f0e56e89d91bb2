import AgentJSON
import Synchronization
import Testing

@testable import AgentQueries

@Suite struct QueryWorkTests {
  private static let long = String(repeating: "ab", count: 1 << 15)

  private struct Outcome {
    let rows: [JSONObject]
    let warnings: [String]
    let losses: QueryLosses
  }

  /// The rows and warnings of a query over events of history with a limit of work.
  private func run(
    _ text: String, _ rows: [JSONObject], row: Int = 1 << 20, bytes: Int = 4 << 20
  ) throws -> Outcome {
    var timing = QueryTiming(lateness: 0)
    (timing.work.row, timing.rowBytes) = (row, bytes)
    let query = RunningQuery(
      try QueryPlan(Query(parsing: text)), span: try QuerySpan(parsing: "from ts 0 to ts 9000"),
      timing: timing)
    var messages = query.start(at: 10_000)
    for (index, row) in rows.enumerated() {
      messages += query.take(row, at: Int64(index + 1), matched: true)
    }
    messages += query.endHistory(at: 10_000)
    var found: [JSONObject] = []
    var warnings: [String] = []
    for message in messages {
      if case .event(let batch) = message { found += batch.rows }
      if case .warning(let text) = message { warnings.append(text) }
    }
    return Outcome(rows: found, warnings: warnings, losses: query.losses)
  }

  @Test func `a row that needs more than its steps is left out and counted`() throws {
    let columns = (0..<40).map { "length(split(text, \"b\")) as c\($0)" }.joined(separator: ", ")
    let events: [JSONObject] = [["text": "abab"], ["text": .string(Self.long)], ["text": "b"]]
    let outcome = try run("* => \(columns)", events)
    #expect(outcome.rows.map { $0["c39"] } == [3, 2])
    #expect(outcome.losses.work == 1)
    #expect(outcome.warnings.contains { $0.contains("1 rows needed more than 1048576 steps") })
  }

  @Test(arguments: [
    "replace(text, \"a\", \"cc\")", "split(text, \"\")", "json(text)", "lower(text)",
    "contains(text, \"c\")", "text == concat(text, \"\")", "text + text", "text < concat(text)",
    "distinct(split(text, \"b\"))", "(text, text)", "newmap(\"a\", text)",
    "parsejson(json(text))", "indexof(text, \"c\")",
  ])
  func `each function that reads a long text uses steps`(expression: String) throws {
    let columns = (0..<40).map { "(\(expression)) as c\($0)" }.joined(separator: ", ")
    let event: JSONObject = ["text": .string(Self.long), "type": .string(Self.long)]
    #expect(try run("* => \(columns)", [event]).losses.work == 1)
  }

  @Test func `pipes that double the rows use steps`() throws {
    let pipes = String(repeating: " => [@set 1 as a union @set 2 as a]", count: 40)
    let outcome = try run("*\(pipes)", [["n": 1]])
    #expect(outcome.losses.work == 1)
    #expect(outcome.rows.count < 1 << 20)
  }

  @Test func `the columns beyond the bytes of a row are null and counted`() throws {
    let outcome = try run(
      "* => text as a, text as b, 7 as c, n as d", [["text": .string(Self.long), "n": "x"]],
      bytes: 100_000)
    #expect(outcome.rows.map { $0["a"] } == [.string(Self.long)])
    #expect(outcome.rows.map { $0["b"] } == [.null])
    #expect(outcome.rows.map { $0["c"] } == [7])
    #expect(outcome.rows.map { $0["d"] } == ["x"])
    #expect(outcome.losses.bytes == 1)
    #expect(outcome.warnings.contains { $0.contains("more than 100000 bytes") })
  }

  @Test func `the digits of a number count as bytes of its row`() throws {
    let long = try #require(JSONNumber(parsing: String(repeating: "9", count: 60_000)))
    let outcome = try run(
      "* => n as a, n as b, 7 as c", [["n": .number(long)]], bytes: 100_000)
    #expect(outcome.rows.map { $0["a"] } == [.number(long)])
    #expect(outcome.rows.map { $0["b"] } == [.null])
    #expect(outcome.rows.map { $0["c"] } == [7])
    #expect(outcome.losses.bytes == 1)
  }

  @Test func `a canceled query uses no further steps`() {
    let checks = Atomic(0)
    let meter = WorkMeter(
      WorkLimits(row: 64 << 20),
      isCancelled: { checks.add(1, ordering: .relaxed).newValue > 2 })
    meter.beginRow()
    #expect(meter.spend(1 << 20))
    #expect(meter.spend(2 << 20))
    #expect(meter.spend(1 << 20))
    #expect(!meter.spend(1 << 20))
    #expect(!meter.spend(0))
    meter.beginRow()
    #expect(meter.spend(1 << 10))
  }

  @Test func `a slice ends after its steps, whatever rows they were for`() {
    let meter = WorkMeter(WorkLimits(slice: 10_000), isCancelled: { false })
    meter.beginRow()
    #expect(meter.spend(3_000))
    #expect(!meter.endSlice())
    meter.beginRow()
    #expect(meter.spend(6_000))
    #expect(meter.endSlice())
    #expect(!meter.endSlice())
    #expect(meter.spend(10_000))
    #expect(meter.endSlice())
  }

  @Test func `a long constant isn't kept in the plan`() throws {
    let many = String(repeating: "a", count: 1000)
    let call = "replace(\"\(many)\", \"a\", \"\(many)\")"
    #expect(try CompiledExpression(parsing: call).constant == nil)
    let length = try CompiledExpression(parsing: "length(\(call))")
    #expect(length.evaluate([:], timestamp: 0) == 1_000_000)
    #expect(try CompiledExpression(parsing: "upper(\"abc\")").constant == "ABC")
  }

  @Test func `a filter that needs more than its steps doesn't match, negated or not`() throws {
    let long: JSONObject = ["text": .string(String(repeating: "ab", count: 500))]
    for patterns in ["text:*b* text:*a*", "-text:*c* -text:*d*", "-(text:*c*) -text:x"] {
      let program = try EventFilter(parsing: patterns).program
      #expect(!program.matches(long, atMost: 1_100))
      #expect(program.matches(long, atMost: 2_100))
    }
  }
}
