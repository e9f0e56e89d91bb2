import AgentJSON
import AgentQueries
import Testing

/// What a query may hold.
struct QueryBoundsTests {
  @Test(arguments: [
    "x => list(text) by k over last hour every minute",
    "x => last(text) by k every hour",
    "x => max(text) as m by k over last hour every 1 second",
    "x => set(text) as s over all every hour",
    "x => dcount(text) as s over last hour every hour",
    "x => count() by text over last hour",
    "x => count() by k over last 10000 items every hour => @sort k",
    "x => @debounce 1 hour by k",
    "x => @throttle 1, 1 hour by text",
    "x => list(text) as t over last 1000 items every 1000 items",
  ])
  func `a query that exceeds its memory ends with a sentence`(text: String) throws {
    let run = try QueryRun(text, bytes: 1 << 20)
    run.start(at: 0)
    var number: Int64 = 0
    while run.query.isRunning, number < 20_000 {
      number += 1
      let text = String(repeating: "x", count: 1_000) + "\(number)"
      run.take(number, ["k": JSONValue(number), "text": .string(text)])
    }
    #expect(run.messages.last == .stop(reason: .limit))
    #expect(run.warnings.contains { $0.contains("holds more than 1048576 bytes") })
    run.take(number + 1, ["k": 1])
    #expect(run.messages.last == .stop(reason: .limit))
  }

  @Test func `only the latest batch is kept`() throws {
    let run = try QueryRun("x => @latest", bytes: 1 << 20)
    run.start(at: 0)
    for number in 0..<Int64(5_000) {
      run.take(number, ["text": .string(String(repeating: "x", count: 1_000))])
    }
    #expect(run.query.isRunning)
  }

  @Test func `values that leave a window free memory for new ones`() throws {
    let run = try QueryRun(
      "x => list(text) as t by k over last 10 seconds every second => count() as n every second",
      bytes: 2 << 20)
    run.start(at: 0)
    for number in 0..<Int64(20_000) {
      let text = String(repeating: "x", count: 1_000) + "\(number)"
      run.take(number * 10, ["k": JSONValue(number % 100), "text": .string(text)])
      run.advance(to: number * 10)
    }
    #expect(run.query.isRunning)
    #expect(run.rows.last == ["n": 100])
  }

  @Test func `many outputs of one moment count towards the limit`() throws {
    let run = try QueryRun("x => count() as n by k over last day every second", bytes: 4 << 20)
    run.start(at: 0)
    for number in 0..<Int64(1_000) { run.take(number, ["k": JSONValue(number)]) }
    run.advance(to: 3_600_000)
    #expect(run.messages.last == .stop(reason: .limit))
  }

  @Test func `groups are forgotten once their window has passed, also in windows of items`() throws
  {
    let run = try QueryRun("x => count() as n over last 1 second every item by k")
    run.start(at: 0)
    for number in 0..<Int64(3_000) {
      run.take(number, ["k": JSONValue(number)])
      run.advance(to: number)
    }
    run.advance(to: 10_000)
    #expect(run.query.statistics.first?.groups == 0)
    #expect(run.query.statistics.first?.panes == 0)
    run.take(10_001, ["k": 1])
    #expect(run.rows.last == ["k": 1, "n": 1])
  }

  @Test func `new groups are counted, however many came before`() throws {
    let run = try QueryRun("x => count() as n over last 1 second every item by k", groups: 100)
    run.start(at: 0)
    for number in 0..<Int64(1_000) {
      run.advance(to: number * 100)
      run.take(number * 100, ["k": JSONValue(number)])
    }
    #expect(run.rows.count == 1_000)
    #expect(run.query.losses.groups == 0)
  }

  @Test func `a group whose rows have all gone out is forgotten`() throws {
    let run = try QueryRun("x => sum(v) as s every 2 items by k", groups: 3_000)
    run.start(at: 0)
    for number in 0..<Int64(10_000) {
      run.take(number, ["k": JSONValue(number), "v": 1])
      run.take(number, ["k": JSONValue(number), "v": 2])
    }
    #expect(run.rows.count == 10_000)
    #expect(run.rows.allSatisfy { $0["s"] == 3 })
    #expect(run.query.losses.groups == 0)
  }

  @Test func `debounce and throttle leave out groups beyond the limit`() throws {
    for text in ["x => @debounce 1 second by k", "x => @throttle 1, 1 hour by k"] {
      let run = try QueryRun(text, groups: 10)
      run.start(at: 0)
      for number in 0..<Int64(15) { run.take(1, ["k": JSONValue(number)]) }
      run.advance(to: 60_000)
      #expect(run.rows.count == 10)
      #expect(run.query.losses.groups == 5)
    }
  }

  @Test func `throttle forgets a group once its rows are older than its time`() throws {
    let run = try QueryRun("x => @throttle 1, 1 second by k", groups: 10)
    run.start(at: 0)
    for number in 0..<Int64(100) {
      run.advance(to: number * 1_000)
      run.take(number * 1_000, ["k": JSONValue(number)])
    }
    #expect(run.rows.count == 100)
  }

  @Test func `debounce keeps one row of a group that never pauses`() throws {
    let run = try QueryRun("x => @debounce 1 hour by k")
    run.start(at: 0)
    for number in 0..<Int64(10_000) {
      run.advance(to: number)
      run.take(number, ["k": 1, "n": JSONValue(number)])
    }
    run.advance(to: 10_000)
    run.take(10_000, ["k": 2, "n": 0])
    run.advance(to: 3_610_000)
    #expect(run.rows.map { $0["k"] } == [1, 2] && run.rows.map { $0["n"] } == [9_999, 0])
  }
}
