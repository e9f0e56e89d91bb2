import AgentJSON
import AgentQueries
import Testing

struct WindowTimeTests {
  private func counts(_ run: QueryRun) -> [[Int64]] {
    run.batches.map { [$0.time, Int64($0.rows.first?["n"]?.int ?? -1)] }
  }

  @Test func `an event on a border belongs to the window that starts there`() throws {
    let run = try QueryRun("x => count() as n every second")
    run.start(at: 0)
    for time in [0, 999, 1_000, 1_999, 2_000] as [Int64] { run.take(time, [:]) }
    run.advance(to: 3_000)
    #expect(counts(run) == [[1_000, 2], [2_000, 2], [3_000, 1]])
  }

  @Test func `an output waits for rows that are late within the lateness`() throws {
    let run = try QueryRun("x => count() as n every second", lateness: 300)
    run.start(at: 0)
    run.take(500, [:])
    run.advance(to: 1_299)
    #expect(run.batches.isEmpty)
    run.take(990, [:])
    run.advance(to: 1_300)
    #expect(counts(run) == [[1_000, 2]])
  }

  @Test func `a row too late for one output still counts in those to come`() throws {
    let run = try QueryRun("x => count() as n over last 3 seconds every second")
    run.start(at: 0)
    run.advance(to: 2_000)
    run.take(500, [:])
    run.advance(to: 4_000)
    #expect(counts(run) == [[1_000, 0], [2_000, 0], [3_000, 1], [4_000, 0]])
    #expect(run.query.losses.late == 0)
  }

  @Test func `a row too late for all outputs is left out, counted and reported`() throws {
    let run = try QueryRun("x => count() as n every second")
    run.start(at: 0)
    run.advance(to: 5_000)
    run.take(100, [:])
    run.take(4_999, [:])
    run.advance(to: 60_000)
    #expect(run.query.losses.late == 2)
    #expect(run.warnings.contains { $0.hasPrefix("2 rows came later") })
    #expect(counts(run).allSatisfy { $0[1] == 0 })
  }

  @Test func `a row ahead of the clock waits for its window, and one far ahead is left out`() throws
  {
    let run = try QueryRun("x => count() as n every second")
    run.start(at: 0)
    run.take(2_500, [:])
    run.take(3_600_001, [:])
    run.advance(to: 3_000)
    #expect(counts(run) == [[1_000, 0], [2_000, 0], [3_000, 1]])
    #expect(run.query.losses.future == 1)
  }

  @Test func `a clock that is set back changes nothing until it catches up`() throws {
    let run = try QueryRun("x => count() as n every second")
    run.start(at: 10_000)
    run.advance(to: 12_000)
    run.advance(to: 5_000)
    run.take(12_500, [:])
    run.advance(to: 12_999)
    #expect(run.batches.map(\.time) == [11_000, 12_000])
    run.advance(to: 13_000)
    #expect(counts(run).last == [13_000, 1])
  }

  @Test func `a clock that is set forward emits every skipped output`() throws {
    let run = try QueryRun("x => count() as n over last minute every 10 seconds")
    run.start(at: 0)
    run.take(5_000, [:])
    run.advance(to: 90_000)
    #expect(
      counts(run) == [10, 20, 30, 40, 50, 60].map { [$0 * 1_000, 1] }
        + [70, 80, 90].map { [$0 * 1_000, 0] })
  }

  @Test func `outputs of a long empty time are left out with a warning`() throws {
    let run = try QueryRun("x => count() as n every second")
    run.start(at: 0)
    run.advance(to: 86_400_000)
    #expect(run.batches.count < 10_100)
    #expect(run.batches.last?.time == 86_400_000)
    #expect(run.warnings.count == 1)
    run.take(86_400_500, [:])
    run.advance(to: 86_401_000)
    #expect(counts(run).last == [86_401_000, 1])
  }

  @Test func `an event of long ago doesn't make outputs for all years since`() throws {
    let run = try QueryRun("x => count() as n over all every second", span: "since ts 0")
    run.start(at: 1_700_000_001_000)
    run.take(500, [:])
    run.take(1_700_000_000_500, [:])
    run.endHistory(at: 1_700_000_001_000)
    #expect(run.batches.count < 100_100)
    #expect(counts(run).suffix(2) == [[1_700_000_000_000, 1], [1_700_000_001_000, 2]])
    #expect(run.warnings.count == 1)
  }

  @Test func `a group without rows in the window gives no row and is forgotten`() throws {
    let run = try QueryRun("x => count() as n by k over last 2 seconds every second")
    run.start(at: 0)
    for number in 0..<1_000 { run.take(500, ["k": JSONValue(number)]) }
    run.take(1_500, ["k": 7])
    run.advance(to: 3_000)
    #expect(run.batches.map(\.rows.count) == [1_000, 1_000, 1])
    #expect(run.query.statistics.first?.groups == 1)
    run.advance(to: 10_000)
    #expect(run.query.statistics.first?.groups == 0)
    #expect(run.query.statistics.first?.panes == 0)
    #expect(run.batches.count == 3)
  }

  @Test func `groups beyond the limit are left out, counted and reported`() throws {
    let run = try QueryRun("x => count() as n by k every second", groups: 10)
    run.start(at: 0)
    for number in 0..<15 { run.take(500, ["k": JSONValue(number)]) }
    run.advance(to: 60_000)
    #expect(run.batches.first?.rows.count == 10)
    #expect(run.query.losses.groups == 5)
    #expect(run.warnings.contains { $0.hasPrefix("5 rows were of more than 10 groups") })
  }

  @Test func `rows without the field form a group`() throws {
    let run = try QueryRun("x => count() as n by a, b every second")
    run.start(at: 0)
    run.take(1, ["a": 1, "b": 2])
    run.take(2, ["a": 1])
    run.take(3, ["b": 2, "a": 1.0])
    run.advance(to: 1_000)
    #expect(run.rows == [["a": 1, "b": 2, "n": 2], ["a": 1, "b": .null, "n": 1]])
  }

  @Test func `days begin where the calendar begins them`() throws {
    let hour: Int64 = 3_600_000
    let calendar = QueryCalendar { _ in -3 * hour }
    let run = try QueryRun("x => count() as n over today every hour", calendar: calendar)
    run.start(at: hour)
    run.take(hour, [:])
    run.take(2 * hour, [:])
    run.advance(to: 3 * hour)
    run.take(3 * hour, [:])
    run.advance(to: 4 * hour)
    #expect(counts(run) == [[2 * hour, 1], [3 * hour, 2], [4 * hour, 1]])
  }

  @Test func `months have their own lengths`() throws {
    let day: Int64 = 86_400_000
    let run = try QueryRun("x => count() as n every month", span: "since ts 0")
    run.start(at: 100 * day)
    for number in 0..<95 { run.take(Int64(number) * day, [:]) }
    // 1970: January, February, March.
    #expect(counts(run) == [[31 * day, 31], [59 * day, 28], [90 * day, 31]])
  }

  @Test func `a window of months reaches back to the same day`() throws {
    let day: Int64 = 86_400_000
    let run = try QueryRun("x => count() as n over last month every day", span: "since ts 0")
    run.start(at: 100 * day)
    for number in 0..<95 { run.take(Int64(number) * day, [:]) }
    let counts = Dictionary(uniqueKeysWithValues: counts(run).map { ($0[0] / day, $0[1]) })
    // 1 March: from 1 February; 31 March: from 28 February.
    #expect(counts[59] == 28)
    #expect(counts[89] == 31)
  }
}
