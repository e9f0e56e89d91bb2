internal import AgentText

/// The rule in a TZif file's footer, a POSIX TZ string such as `CET-1CEST,M3.5.0,M10.5.0/3`, with
/// the wider times of RFC 8536, section 3.3.1.
struct PosixTimeZone: Sendable, Equatable {
  /// A day of each year on which the clock is set, and when on it.
  struct Change: Sendable, Equatable {
    enum Day: Sendable, Equatable {
      /// The weekday (0 is Sunday) of a month's week, 5 being the last.
      case weekday(month: Int, week: Int, weekday: Int)
      /// Day 1 to 365; February 29 isn't counted.
      case withoutLeapDay(Int)
      /// Day 0 to 365.
      case withLeapDay(Int)
    }

    var day: Day
    /// Seconds after midnight on the wall; may be negative or beyond a day.
    var time = 7200

    /// When it is on the wall, in seconds since 1970.
    func wall(in year: Int) -> Int {
      let newYear = CivilDate(year: year, month: 1, day: 1).dayNumber
      let number =
        switch day {
        case .withLeapDay(let day): newYear + day
        case .withoutLeapDay(let day):
          newYear + day - 1 + (CivilDate.isLeap(year) && day >= 60 ? 1 : 0)
        case .weekday(let month, let week, let weekday):
          Self.dayNumber(of: weekday, week: week, month: month, year: year)
        }
      return number * 86_400 + time
    }

    private static func dayNumber(of weekday: Int, week: Int, month: Int, year: Int) -> Int {
      let first = CivilDate(year: year, month: month, day: 1)
      let offset = (weekday - CivilDate.weekday(ofDayNumber: first.dayNumber) + 7) % 7
      let day = offset + (week - 1) * 7
      return first.dayNumber + (day < first.monthLength ? day : day - 7)
    }
  }

  /// Daylight saving time.
  struct Saving: Sendable, Equatable {
    var offset: Int
    var begins: Change
    var ends: Change
  }

  var standard: Int
  var saving: Saving?

  /// The stretch around `instant` in which the clock isn't set, of the time from `earliest` on,
  /// before which the zone's table holds.
  func span(at instant: Int, from earliest: Int, offsetBefore: Int) -> TimeZoneSpan {
    var span =
      saving.map { self.span(at: instant, $0) }
      ?? TimeZoneSpan(
        start: -TimeZoneSpan.never, end: TimeZoneSpan.never, offset: standard,
        offsetBefore: standard)
    if span.start <= earliest {
      span.start = earliest
      span.offsetBefore = offsetBefore
    }
    return span
  }

  private func span(at instant: Int, _ saving: Saving) -> TimeZoneSpan {
    let year = CivilDate(dayNumber: instant.dividedDown(by: 86_400)).year
    var span = TimeZoneSpan(
      start: -TimeZoneSpan.never, end: TimeZoneSpan.never, offset: standard,
      offsetBefore: standard)
    // Changes that leave the clock as it is (all-year daylight saving time is written with two that
    // meet) are none: a later one at the same moment wins.
    var latest = -TimeZoneSpan.never
    for (moment, offset) in changes(around: year, saving) {
      if moment <= instant {
        span.offsetBefore = moment == latest ? span.offsetBefore : span.offset
        span.start = moment
        span.offset = offset
        latest = moment
      } else {
        span.end = moment
        break
      }
    }
    return span
  }

  private func changes(around year: Int, _ saving: Saving) -> [(moment: Int, offset: Int)] {
    var changes: [(moment: Int, offset: Int)] = []
    changes.reserveCapacity(6)
    for year in year - 1...year + 1 {
      let begins = (saving.begins.wall(in: year) - standard, saving.offset)
      let ends = (saving.ends.wall(in: year) - saving.offset, standard)
      if begins.0 <= ends.0 { changes += [begins, ends] } else { changes += [ends, begins] }
    }
    return changes
  }
}
