import AgentJSON
import AgentQueries
import TestSupport
import Testing

struct QueryLifeTests {
  @Test func `a live query starts, runs, stops and is destroyed`() throws {
    let run = try QueryRun("x")
    #expect(run.query.take([:], at: 0).isEmpty)
    run.start(at: 100)
    run.take(100, [:])
    run.stop(at: 200)
    run.stop(at: 200)
    run.take(201, [:])
    #expect(
      run.kinds == ["start", "span", "endHistory", "startRealTime", "event", "stop"])
    #expect(run.query.destroy(at: 300) == [.destroy])
    #expect(run.query.destroy(at: 300).isEmpty)
    #expect(run.query.start(at: 400).isEmpty)
  }

  @Test func `destroying a running query stops it first`() throws {
    let run = try QueryRun("x => count() as n at the end")
    run.start(at: 100)
    run.take(100, [:])
    let kinds = run.query.destroy(at: 200).compactMap { $0.json["type"]?.string }
    #expect(kinds == ["event", "stop", "destroy"])
  }

  @Test func `a query may be started again with nothing remembered`() throws {
    let run = try QueryRun("x => count() as n every second")
    run.start(at: 0)
    run.take(500, [:])
    run.stop(at: 600)
    run.start(at: 10_000)
    run.take(10_100, [:])
    run.advance(to: 11_000)
    #expect(run.rows == [["n": 1]])
    #expect(run.kinds.filter { $0 == "start" }.count == 2)
  }

  @Test func `a past span ends the query at the end of history`() throws {
    let run = try QueryRun("x => count() as n every second", span: "from ts 0 to ts 3000")
    run.start(at: 10_000)
    #expect(run.query.wantsHistory)
    #expect([run.query.history.begin, run.query.history.end] == [0, 3_000])
    for time in [0, 500, 2_999, 3_000, 3_500] as [Int64] { run.take(time, [:]) }
    run.endHistory(at: 10_100)
    #expect(run.rows == [["n": 2], ["n": 0], ["n": 1]])
    #expect(run.kinds.suffix(2) == ["endHistory", "stop"])
    #expect(run.messages.last == .stop(reason: .noRealTime))
    #expect(!run.query.isRunning)
  }

  @Test func `a span that ends while the query runs stops it`() throws {
    let run = try QueryRun("x => count() as n every second", span: "from now to ts 5000")
    run.start(at: 3_000)
    run.take(4_000, [:])
    run.take(5_000, [:])
    run.advance(to: 9_000)
    #expect(run.rows == [["n": 0], ["n": 1]])
    #expect(run.messages.last == .stop(reason: .endOfSpan))
  }

  @Test func `history and live events are one stream without lost or double rows`() throws {
    let run = try QueryRun("x => count() as n over all every second", span: "last 10 seconds")
    run.start(at: 10_000)
    func take(_ position: UInt64) -> [QueryMessage] {
      let time = Int64(position) * 100
      return run.query.take(
        ["type": "x", "timestamp": JSONValue(time)], at: time, position: position)
    }
    // History was read up to 104; the subscription, made before, brings 98 and what follows.
    for position in 1...104 as ClosedRange<UInt64> { _ = take(position) }
    let border = run.query.endHistory(at: 10_400)
    #expect(border.suffix(2) == [.endHistory, .startRealTime])
    for position in 98...119 as ClosedRange<UInt64> { #expect(take(position).isEmpty) }
    let batches = run.query.advance(to: 12_000).compactMap {
      if case .event(let batch) = $0 { batch } else { nil }
    }
    #expect(batches.map { $0.rows.first?["n"] } == [109, 119])
  }

  @Test func `the same rows give the same outputs from history as live`() throws {
    var random = SeededGenerator(seed: 11)
    let samples = (0..<500).map { number in
      let late = Int64.random(in: 0...300, using: &random)
      return Sample(Int64(number) * 50 + 1_000 - late, ["k": JSONValue(number % 3)])
    }
    let text = "x => count() as n, last(timestamp) as t by k over last 2 seconds every 500 ms"
    let live = try QueryRun(text, lateness: 300)
    live.start(at: 0)
    for (number, sample) in samples.enumerated() {
      live.advance(to: Int64(number) * 50 + 1_000)
      live.take(sample)
    }
    live.advance(to: 40_000)
    let past = try QueryRun(text, span: "from ts 0 to ts 40000", lateness: 300)
    past.start(at: 40_000)
    samples.forEach(past.take)
    past.endHistory(at: 40_000)
    #expect(live.batches.count > 50)
    #expect(past.batches == live.batches)
  }

  @Test func `a span is reported at the start and every minute`() throws {
    let run = try QueryRun("x", span: "last 60 seconds")
    run.start(at: 100_000)
    run.endHistory(at: 100_000)
    for now in stride(from: Int64(100_000), through: 260_000, by: 20_000) { run.advance(to: now) }
    let spans = run.messages.compactMap { message -> [Int64]? in
      if case .span(let begin, let end) = message { [begin, end] } else { nil }
    }
    #expect(
      spans == [[40_000, 100_000], [100_000, 160_000], [120_000, 180_000], [180_000, 240_000]])
  }

  @Test(arguments: [
    "x => count() as n every second",
    "x => sum(n) as n, count() as c by g over last 3 seconds every 2 seconds",
    "x => count() as n over last 3 items every 700 milliseconds",
    "x => @debounce 2 seconds by g",
    "x => count() as n every second => @debounce 3 seconds",
    "x => count() as n every second => avg(n) as a over last 5 seconds every 2 seconds",
    "x => count() as n at the end",
  ])
  func `a run advanced only when it is due yields the same rows as one advanced always`(
    text: String
  ) throws {
    func run(_ isWanted: (RunningQuery, Int64) -> Bool) throws -> [QueryMessage] {
      let run = try QueryRun(text, span: "from now to ts 90000", lateness: 300)
      run.start(at: 0)
      for now in stride(from: Int64(0), through: 100_000, by: 50) {
        let isQuiet = (20_000..<70_000).contains(now)
        if now % 350 == 0, !isQuiet {
          #expect(run.query.moveClock(now).isEmpty)
          run.take(now, ["g": JSONValue(now % 3), "n": JSONValue(now % 7)])
        }
        if isWanted(run.query, now) { run.advance(to: now) }
      }
      #expect(run.query.due == nil)
      return run.messages
    }
    var told = 0
    let asked = try run { query, now in
      guard let due = query.due, due <= now else { return false }
      told += 1
      return true
    }
    #expect(try run { _, _ in true } == asked)
    #expect(told < 150)
  }

  @Test func `messages have LIVE's member names`() throws {
    let run = try QueryRun("x => count() by k every second", span: "today")
    run.start(at: 86_400_500)
    let start = try #require(run.messages.first?.json)
    #expect(start["type"] == "start")
    #expect(start["group"] == ["k"])
    #expect(start["select"] == ["timestamp", "k", "count"])
    #expect(start["span"] == "today")
    #expect(
      run.messages.last?.json == ["type": "span", "begin": 86_400_000, "end": 86_400_500])
  }

  @Test func `a query whose rows come at the end only reports that`() throws {
    let run = try QueryRun("x => count() over last minute")
    run.start(at: 0)
    #expect(run.warnings.contains { $0.contains("has no “every”") })
  }
}
