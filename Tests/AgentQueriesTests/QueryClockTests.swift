import AgentJSON
import AgentQueries
import Testing

/// Clocks lie: those of devices, which say when something happened, and the host's own.
struct QueryClockTests {
  private static let hour: Int64 = 3_600_000
  private static let now: Int64 = 1_800_000_000_000
  /// An event whose device counts from another year, or in microseconds.
  private static let far: Int64 = now + 10 * 365 * 24 * hour

  private func run(_ text: String, bytes: Int = 256 << 20) throws -> QueryRun {
    let run = try QueryRun(text, lateness: 500, bytes: bytes)
    run.start(at: Self.now)
    return run
  }

  // MARK: Events of the future

  @Test(arguments: [
    ("x => @throttle 1, 1 second", 6), ("x => @debounce 1 second", 6),
    ("x => count() as n over last 10 seconds every item", 6),
    ("x => count() as n every 2 seconds => @filter n > 0", 6),
  ])
  func `an event of 2036 delays no step and is counted`(text: String, rows: Int) throws {
    let run = try run(text)
    run.take(Self.far, [:])
    for number in 0..<Int64(6) {
      run.advance(to: Self.now + number * 2_000)
      run.take(Self.now + number * 2_000, [:])
    }
    run.advance(to: Self.now + 60_000)
    #expect(run.rows.count == rows)
    #expect(run.query.losses.future == 1)
    #expect(run.warnings.contains { $0.hasPrefix("1 rows were too far ahead of the clock") })
  }

  @Test(arguments: ["x => count() as n over last hour every minute", "x => @debounce 1 minute"])
  func `an event of 2036 in the past delays no step`(text: String) throws {
    let run = try QueryRun(text, span: "last 2 hours")
    run.start(at: Self.now)
    run.take(Self.now - Self.hour, ["n": 1])
    run.take(Self.far, ["n": 2])
    run.endHistory(at: Self.now)
    run.advance(to: Self.now + 60_000)
    #expect(!run.rows.isEmpty)
    #expect(run.query.losses.future == 1)
  }

  @Test(arguments: ["x => @throttle 1, 1 second", "x => @debounce 1 second"])
  func `a row ahead of the clock doesn't hold back later rows`(text: String) throws {
    let run = try run(text)
    run.take(Self.now + Self.hour / 2, [:])
    for number in 1...Int64(3) {
      run.advance(to: Self.now + number * 5_000)
      run.take(Self.now + number * 5_000, [:])
    }
    run.advance(to: Self.now + 30_000)
    #expect(run.rows.count == 4)
    #expect(run.query.losses == QueryLosses())
  }

  @Test func `a row ahead of the clock pushes no row out of a window of items`() throws {
    let run = try run("x => sum(v) as s over last 10 seconds every item")
    run.take(Self.now + Self.hour / 2, ["v": 100])
    run.advance(to: Self.now + 1_000)
    run.take(Self.now + 1_000, ["v": 1])
    run.take(Self.now + 1_500, ["v": 2])
    #expect(run.rows == [["s": 100], ["s": 101], ["s": 103]])
    #expect(run.query.losses.late == 0)
  }

  @Test func `a query without timed steps gets each row`() throws {
    let run = try run("x => n")
    run.take(Self.far, ["n": 1])
    run.take(Self.now - Self.hour, ["n": 2])
    #expect(run.rows == [["n": 1], ["n": 2]])
    #expect(run.query.losses == QueryLosses())
  }

  // MARK: The host's clock

  @Test func `a live query gets new rows after the clock is set back an hour`() throws {
    let run = try run("x => n")
    run.advance(to: Self.now + 1_000)
    run.advance(to: Self.now - Self.hour)
    run.take(Self.now - Self.hour, ["n": 1])
    #expect(run.rows == [["n": 1]])
    #expect(run.warnings.isEmpty)
  }

  @Test func `windows start anew after the clock is set back an hour`() throws {
    let run = try run("x => count() as n every second")
    run.take(Self.now + 100, [:])
    run.advance(to: Self.now + 1_500)
    let back = Self.now - Self.hour
    // Told before the rows are taken that came since, so that they aren't of the old time.
    #expect(
      run.query.moveClock(back + 100)
        == [.warning("The clock was set back by 3601 s. Windows start afresh.")])
    run.advance(to: back + 200)
    run.take(back + 300, [:])
    run.take(back + 400, [:])
    run.advance(to: back + 1_500)
    #expect(run.batches.map(\.time) == [Self.now + 1_000, back + 1_000])
    #expect(run.rows == [["n": 1], ["n": 2]])
  }

  @Test func `a window that can't be counted again stands still with a warning`() throws {
    let run = try run("x => count() as n over all every second")
    run.take(Self.now + 100, [:])
    run.advance(to: Self.now + 1_500)
    run.advance(to: Self.now - Self.hour)
    run.take(Self.now - Self.hour, [:])
    run.advance(to: Self.now + 2_500)
    #expect(run.rows == [["n": 1], ["n": 2]])
    #expect(run.warnings.filter { $0.contains("set back by 3601 s") }.count == 1)
  }

  @Test func `a clock set back by 300 ms is waited for without a warning`() throws {
    let run = try run("x => count() as n every second")
    for moment in [200, 1_500, 1_200, 1_700, 2_500] as [Int64] {
      run.advance(to: Self.now + moment)
    }
    #expect(run.batches.map(\.time) == [Self.now + 1_000, Self.now + 2_000])
    #expect(run.warnings.isEmpty)
  }

  @Test func `a clock set forward by an hour emits all outputs in between`() throws {
    let run = try run("x => count() as n every minute")
    run.take(Self.now + 1, [:])
    run.advance(to: Self.now + Self.hour + 500)
    #expect(run.batches.count == 60)
    #expect(run.rows.first == ["n": 1])
    #expect(run.query.losses == QueryLosses())
  }

  // MARK: Queries that are behind

  @Test func `a delayed query doesn't advance beyond the last event taken`() throws {
    let run = try run("x => count() as n every second")
    for second in 0..<Int64(20) {
      for part in 0..<Int64(10) { run.take(Self.now + second * 1_000 + part * 100, [:]) }
      // The clock is a minute further than the rows.
      run.advance(to: Self.now + 60_000, seen: Self.now + second * 1_000 + 900)
    }
    run.advance(to: Self.now + 60_000)
    #expect(run.rows.prefix(20).allSatisfy { $0 == ["n": 10] })
    #expect(run.query.losses == QueryLosses())
  }

  @Test func `rows an hour or more behind the query's time aren't in the future`() throws {
    let run = try run("x => count() as n every second")
    run.advance(to: Self.now + 3 * Self.hour, seen: Self.now)
    run.take(Self.now + 2 * Self.hour, [:])
    #expect(run.query.losses.future == 0)
  }
}
