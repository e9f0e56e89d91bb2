/// The last line of a time zone file: a POSIX TZ string such as `CET-1CEST,M3.5.0,M10.5.0/3`, which
/// says what goes on for ever (RFC 8536, section 3.3).
struct ZoneFooter: Sendable, Hashable {
  /// A day of the year and the time at which the clocks are changed on it.
  struct Day: Sendable, Hashable {
    enum Form: Sendable, Hashable {
      /// `M3.5.0`: month, week (5: the last), day of the week (0: Sunday).
      case weekday(month: Int, week: Int, day: Int)
      /// `J60`: 1 to 365, without a 29th of February.
      case julian(Int)
      /// `59`: 0 to 365.
      case day(Int)
    }

    let form: Form
    /// Seconds after midnight; may lie in another day.
    let time: Int
  }

  /// Summer time: seconds ahead of UTC, and from when until when.
  struct Summer: Sendable, Hashable {
    let offset: Int
    let begin: Day
    let end: Day
  }

  let standard: Int
  let summer: Summer?

  /// Seconds ahead of UTC at a moment.
  func offset(at second: Int64) -> Int {
    guard let summer else { return standard }
    let year = CivilDay.year(second: second.adding(Int64(standard)))
    let begin = moment(summer.begin, year, ahead: standard)
    let end = moment(summer.end, year, ahead: summer.offset)
    let isSummer =
      begin <= end ? second >= begin && second < end : second >= begin || second < end
    return isSummer ? summer.offset : standard
  }

  /// When the clocks are changed next.
  func nextChange(after second: Int64) -> Int64? {
    guard let summer else { return nil }
    let year = CivilDay.year(second: second.adding(Int64(standard)))
    return (year - 1...year + 1).flatMap {
      [moment(summer.begin, $0, ahead: standard), moment(summer.end, $0, ahead: summer.offset)]
    }.filter { $0 > second }.min()
  }

  private func moment(_ day: Day, _ year: Int64, ahead offset: Int) -> Int64 {
    day.number(in: year) * 86_400 + Int64(day.time - offset)
  }
}

extension ZoneFooter.Day {
  /// The day's number, from 1970-01-01.
  fileprivate func number(in year: Int64) -> Int64 {
    let first = CivilDay.number(year, 1, 1)
    switch form {
    case .julian(let day):
      let isLeap = CivilDay.number(year, 3, 1) - first == 60
      return first + Int64(day - 1) + (isLeap && day >= 60 ? 1 : 0)
    case .day(let day): return first + Int64(day)
    case .weekday(let month, let week, let day):
      let begin = CivilDay.number(year, Int64(month), 1)
      let next = CivilDay.number(month == 12 ? year + 1 : year, Int64(month % 12 + 1), 1)
      // 1970-01-01 was a Thursday.
      let weekday = (begin + 4) - (begin + 4).flooredDivision(by: 7) * 7
      var number = begin + (Int64(day) - weekday + 7) % 7 + Int64(week - 1) * 7
      while number >= next { number -= 7 }
      return number
    }
  }
}

/// Days of the proleptic Gregorian calendar, by years that begin in March: Howard Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms", 2013.
enum CivilDay {
  /// The number of a day, from 1970-01-01.
  static func number(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year.flooredDivision(by: 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The year in which a second of local time lies.
  static func year(second: Int64) -> Int64 {
    let shifted = second.flooredDivision(by: 86_400) + 719_468
    let era = shifted.flooredDivision(by: 146_097)
    let day = shifted - era * 146_097
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    return era * 400 + year + ((5 * dayOfYear + 2) / 153 >= 10 ? 1 : 0)
  }
}
