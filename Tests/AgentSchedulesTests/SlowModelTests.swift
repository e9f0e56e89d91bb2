import AgentSchedules
import TestSupport
import Testing

@Suite("Cron against a model that steps through time")
struct SlowModelTests {
  private static let minute: Int64 = 60_000

  /// Debian's cron, minute by minute: it keeps the time on the wall up to which fixed-time jobs have
  /// been seen to, and compares it with what the clock shows.
  private func modelFires(_ cron: SlowCron, walls: [LocalTime], seconds: [Int], start: Int64)
    -> [Int64]
  {
    var fires: [Int64] = []
    var seen = seconds[0]
    for index in 1..<walls.count {
      let jump = seconds[index] - seconds[index - 1] - 60
      let isCorrection = abs(jump) >= 3 * 3600
      if isCorrection { seen = seconds[index] - 60 }
      let doesFire =
        if !cron.isFixedTime || isCorrection {
          cron.matches(walls[index])
        } else if seconds[index] <= seen {
          false
        } else {
          stride(from: seen + 60, through: seconds[index], by: 60)
            .contains { cron.matches(wall(atSecond: $0)) }
        }
      seen = max(seen, seconds[index])
      if doesFire { fires.append(start + Int64(index) * Self.minute) }
    }
    return fires
  }

  private func wall(atSecond second: Int) -> LocalTime {
    TimeZoneRules.utc.localTime(at: Int64(second) * 1000)
  }

  /// Seconds on the wall, as if it were UTC's.
  private func second(of wall: LocalTime) throws -> Int {
    Int(TimeZoneRules.utc.resolve(wall).time / 1000)
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-03-28T12:00:00"), ("Europe/Berlin", "2026-10-24T12:00:00"),
    ("America/New_York", "2026-03-07T12:00:00"), ("America/New_York", "2026-10-31T12:00:00"),
    ("Australia/Lord_Howe", "2026-10-03T00:00:00"), ("Australia/Lord_Howe", "2026-04-04T00:00:00"),
    ("Asia/Beirut", "2026-03-28T00:00:00"), ("Pacific/Apia", "2011-12-29T00:00:00"),
    ("America/Sao_Paulo", "2017-10-14T12:00:00"), ("Europe/Berlin", "2345-03-24T12:00:00"),
  ])
  func `each minute around a clock change equals the model's`(name: String, from: String) throws {
    let zone = try TimeZoneDatabase().zone(named: name)
    let start = try utc(from)
    let times = (0...Int64(2 * 1440)).map { start + $0 * Self.minute }
    let walls = times.map(zone.localTime)
    let seconds = try walls.map(second)
    var random = SeededGenerator(seed: UInt64(start))
    for _ in 0..<40 {
      let cron = SlowCron(using: &random)
      // Days that never come are refused.
      guard let expression = try? CronExpression(cron.text) else { continue }
      var fires: [Int64] = []
      var time = start
      while let next = expression.next(after: time, in: zone), next <= times[times.count - 1] {
        fires.append(next)
        time = next
      }
      let expected = modelFires(cron, walls: walls, seconds: seconds, start: start)
      #expect(fires == expected, "\(cron.text) in \(name) from \(from)")
    }
  }

  @Test func `each day of years equals the model's`() throws {
    let start = try utc("2027-06-01T00:00:00")
    let days = (1...800).map { start + Int64($0) * 86_400_000 }
    let walls = days.map(TimeZoneRules.utc.localTime)
    var random = SeededGenerator(seed: 400)
    for _ in 0..<80 {
      let cron = SlowCron(using: &random, isDaily: true)
      let expected = zip(days, walls).filter { cron.matches($1) }.map(\.0)
      guard let expression = try? CronExpression(cron.text) else {
        #expect(expected.isEmpty, "\(cron.text)")
        continue
      }
      var fires: [Int64] = []
      var time = start
      while let next = expression.next(after: time, in: .utc), next <= days[days.count - 1] {
        fires.append(next)
        time = next
      }
      #expect(fires == expected, "\(cron.text)")
    }
  }
}
