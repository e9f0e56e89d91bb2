import AgentJSON
import AgentQueries
import Testing

struct QueryParsingTests {
  private static func last(_ amount: Int, _ unit: QueryPeriod.Unit) -> WindowTree.Kind {
    QueryPeriod(amount, unit).map { .last($0) } ?? .all
  }

  @Test func `the chatbot's trades query is read as written`() throws {
    let query = try Query(
      parsing: "krakenfx => count() by pair every 30 seconds over last 60 seconds "
        + "=> @filter(count > 100)")
    #expect(EventFilter(query.tree.filter).requirements.types == ["krakenfx"])
    guard query.tree.pipes.count == 2, case .select(let select) = query.tree.pipes[0].kind,
      case .filter(let condition) = query.tree.pipes[1].kind
    else {
      Issue.record("\(query.tree)")
      return
    }
    #expect(select.columns.map(\.name) == ["count"])
    #expect(select.columns[0].expression.hasAggregation)
    #expect(select.groups.map(\.name) == ["pair"])
    #expect(select.window?.kind == .last(try #require(QueryPeriod(60, .second))))
    #expect(select.output?.kind == .every(try #require(QueryPeriod(30, .second))))
    #expect(query.text.text(of: condition.range) == "(count > 100)")
    #expect(query.text.text(of: query.tree.pipes[1].range) == "@filter(count > 100)")
    let compiled = try CompiledExpression(condition, in: query)
    #expect(compiled.isTrue(["pair": "XBT", "count": 101], timestamp: 0))
    #expect(!compiled.isTrue(["pair": "XBT", "count": 100], timestamp: 0))
  }

  @Test func `a monitor's query has its conditions`() throws {
    let query = try Query(
      parsing: #"""
        raw_well mnemonic!:(WOBA|DMEA) .flags:nocount
        => lastv(value:object):if(\mnemonic:WOBA) as WOBA, lastv(uom:object):if(\mnemonic:WOBA) as WOBA_uom
           over last second every second
        => @filter(WOBA != null)
        """#)
    #expect(EventFilter(query.tree.filter).requirements.equalities.map(\.field) == ["mnemonic"])
    guard case .select(let select) = query.tree.pipes[0].kind,
      case .aggregation(let aggregation) = select.columns[0].expression.kind
    else {
      Issue.record("\(query.tree)")
      return
    }
    #expect(select.columns.map(\.name) == ["WOBA", "WOBA_uom"])
    #expect(aggregation.name == .lastv)
    let condition = try CompiledExpression(try #require(aggregation.condition), in: query)
    #expect(condition.isTrue(["mnemonic": "WOBA"], timestamp: 0))
    #expect(!condition.isTrue(["mnemonic": "DMEA"], timestamp: 0))
    let value = try CompiledExpression(aggregation.arguments[0], in: query)
    #expect(value.evaluate(["value": ["a": 1]], timestamp: 0) == ["a": 1])
  }

  @Test func `the chatbot's query finds its name but not its own messages`() throws {
    let query = try Query(
      parsing: """
        __message -__delete:*
        => @filter(
          message:lower():contains("randy") &&
          author->name:lower() != "randy"
        )
        """)
    let filter = EventFilter(query.tree.filter)
    guard case .filter(let tree) = query.tree.pipes[0].kind else {
      Issue.record("\(query.tree)")
      return
    }
    let condition = try CompiledExpression(tree, in: query)
    func hears(_ event: JSONObject) -> Bool {
      filter.matches(event) && condition.isTrue(event, timestamp: 0)
    }
    #expect(hears(["type": "__message", "message": "Hi RANDY", "author": ["name": "Ann"]]))
    #expect(!hears(["type": "__message", "message": "Hi Randy", "author": ["name": "Randy"]]))
    #expect(!hears(["type": "__message", "message": "Hi Bob", "author": ["name": "Ann"]]))
    #expect(
      !hears([
        "type": "__message", "message": "randy", "author": ["name": "Ann"], "__delete": false,
      ]))
  }

  /// The second and third ask for a single row's value beside an aggregation, which the engine
  /// refuses: what it would be isn't said anywhere.
  @Test(arguments: [
    "krakenfx => count() by pair at the end => @filter(count != null)",
    """
    raw_well mnemonic!:(A|B)
    => value as current_value, value#:round(2):dcount() as num_changes,
       value#round(2):set() as values_list, timestamp:min() as start, timestamp:max() as end, mnemonic
      by mnemonic
      every 10 seconds over last 600 seconds
    => @filter(num_changes >= 3)
    => @throttle 1, 600 seconds
    """,
    "raw => {GFLOW}->value# as flowrate, {SPPA}->value# as pressure "
      + "=> flowrate#, pressure#, flowrate#/pressure# as ratio "
      + "=> flowrate#, ratio#, avg(ratio) as mratio every 1 seconds over last 30 seconds "
      + "=> @filter(flowrate# > 5 & (abs(ratio#/mratio# - 1) > 0.1))",
    "raw .flags:nocount => {ACTC}:map():json() as {ACTC}, {ETIM}->value as {ETIM} "
      + "=> @filter({ETIM}#:round() == 10)",
    "raw mnemonic!:DBTM value#:[0, 100]",
    "StockTick symbol:GOOG => avg(price#) over last day every minute => @filter _ > 813.50",
    "def total(a, &b): a# * b#; Order => sum(total(price, quantity)) as value every minute",
  ])
  func `users' queries run, or are refused for the mixture`(text: String) throws {
    let query = try Query(parsing: text)
    do throws(QueryError) {
      _ = try QueryPlan(query)
    } catch {
      #expect(error.message.contains("one row of many"), "\(error)")
    }
  }

  @Test(arguments: [
    ("value#", "value"), ("sum(price#)", "sum_price"), ("count()", "count"),
    ("histogram", "histogram"), ("percentile(x, 99.5)", "percentile_x_99_5"), ("a->b", "a_b"),
    ("{curve one}", "curve one"), ("a.b", "a.b"), ("1 as one", "one"), ("1 as {b c}", "b c"),
    ("1 as \"d\"", "d"), ("*", "value"), ("-x", "x"),
  ])
  func `a named value is read`(text: String, name: String) throws {
    let query = try Query(parsing: "* => \(text) every item")
    guard case .select(let select) = query.tree.pipes[0].kind else { return }
    #expect(select.columns.map(\.name) == [name])
  }

  @Test(
    arguments: [
      ("last minute", last(1, .minute)), ("last 90 min", last(90, .minute)),
      ("last 2 h", last(2, .hour)), ("last 500 ms", last(500, .millisecond)),
      ("last 10 items", .lastItems(10)), ("last item", .lastItems(1)), ("all", .all),
      ("current week", .current(.week)), ("today", .current(.day)),
      ("last 3 months", last(3, .month)),
    ] as [(String, WindowTree.Kind)])
  func `a window is read`(text: String, kind: WindowTree.Kind) throws {
    let query = try Query(parsing: "* => count() over \(text) at the end")
    guard case .select(let select) = query.tree.pipes[0].kind else { return }
    #expect(select.window?.kind == kind)
    #expect(query.text.text(of: try #require(select.window).range) == text)
    #expect(select.output?.kind == .atTheEnd)
  }

  @Test func `union and join contain chains`() throws {
    let query = try Query(
      parsing: "* => [ a => @filter a > 1 union b union c join on k d ] => @latest")
    guard query.tree.pipes.count == 2, case .combine(let join) = query.tree.pipes[0].kind,
      case .join(let keys) = join.combination, case .combine(let union) = join.branches[0][0].kind
    else {
      Issue.record("\(query.tree)")
      return
    }
    #expect(keys.map(\.name) == ["k"])
    #expect(union.combination == .union)
    #expect(union.branches.map(\.count) == [2, 1, 1])
  }

  @Test(
    arguments: [
      ("* =>", 5, "missing"), ("* => count() by", 16, "missing"), ("* => a over", 12, "window"),
      ("* => a over last 5", 19, "unit"), ("* => a over last 5 parsecs", 20, "no unit of time"),
      ("* => a every minutes5", 14, "Did you mean minute"), ("* => a by b by c", 13, "one by"),
      ("* => a every second at the end", 21, "one every"), ("* => a at end", 11, "at the end"),
      ("* => @filtre a", 6, "Did you mean @filter?"), ("* => @filter count() > 1", 14, "one row"),
      ("* => @top desc", 11, "whole number"), ("* => @top 0, a", 11, "at least 1"),
      ("* => @throttle 1", 17, "@throttle 1, 60 seconds"), ("* => a, b as a", 9, "called \"a\""),
      ("* => count() by sum(x)", 17, "one row"), ("* => [a]", 6, "union"),
      ("* => [a union b", 16, "closed"),
      ("* => a => ", 11, "missing"), ("* => a every 0 seconds", 14, "1 ms"),
      ("* = count()", 3, "end here"),
      ("* => a every 1.5 seconds", 14, "whole number"), ("* => cuont()", 6, "Did you mean count?"),
      ("* => a over last 0 items", 18, "at least 1"), ("* => @set a every minute", 13, "end here"),
      ("* => a every 99999999999999999999 s", 14, "whole number"),
      ("* => a every 9999999 years", 14, "1,000 years"), ("* => a as by", nil, ""),
    ] as [(String, Int?, String)])
  func `a text that is no query is refused with its place`(
    text: String, column: Int?, words: String
  ) throws {
    guard let column else {
      #expect(throws: Never.self) { try Query(parsing: text) }
      return
    }
    let error = try #require(throws: QueryError.self) { try Query(parsing: text) }
    #expect(error.message.contains(words), "\(error)")
    #expect(error.place.column == column, "\(error)")
  }

  @Test func `an error in a definition has its place there`() throws {
    let error = try #require(throws: QueryError.self) {
      try Query(parsing: "def f(x): lowr(x);\n* => f(a)")
    }
    #expect(error.place.description == "1:11", "\(error)")
  }

  @Test func `a query's length is bounded`() throws {
    let limits = QueryLimits(length: 100, depth: 4, nodes: 10)
    func code(_ text: String) throws -> QueryError.Code {
      try #require(throws: QueryError.self) { try Query(parsing: text, limits: limits) }.code
    }
    #expect(try code(String(repeating: "x", count: 101)) == .limit)
    #expect(try code("((((((a))))))") == .limit)
    #expect(try code("a x:(1|2|3|4|5|6|7|8|9|10|11)") == .limit)
    #expect(throws: Never.self) { try Query(parsing: "((a))", limits: limits) }
  }
}
