internal import AgentText

/// The rule in the footer of a TZif file. It is a POSIX TZ string such as
/// `CET-1CEST,M3.5.0,M10.5.0/3`, with the wider range of times of RFC 8536, section 3.3.1.
struct PosixTimeZone: Sendable, Equatable {
  /// The day of each year on which the clock is set, and the time of that day.
  struct Change: Sendable, Equatable {
    enum Day: Sendable, Equatable {
      /// A weekday (0 is Sunday) in a week of a month. Week 5 is the last one.
      case weekday(month: Int, week: Int, weekday: Int)
      /// Day 1 to 365. February 29 isn't counted.
      case withoutLeapDay(Int)
      /// Day 0 to 365, counted with February 29.
      case withLeapDay(Int)
    }

    var day: Day
    /// The seconds after local midnight. They may be negative or exceed a day.
    var time = 7200

    /// Returns the local time of the change, in seconds since 1970.
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

  /// Returns the span around `instant` without a change of the clock.
  /// - Parameter earliest: the end of the zone's table. The rule applies from this time on.
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
    // Two changes at the same moment leave the clock as it is. This is how a TZ string expresses
    // daylight saving time all year. The later one in the list wins.
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
