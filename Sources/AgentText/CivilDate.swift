/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Sendable, Hashable {
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to 31.
  package var day: Int

  /// Creates a day of its parts, which aren't checked.
  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the day that is `dayNumber` days after 1970-01-01.
  ///
  /// Rationale: the conversions follow Howard Hinnant, "chrono-Compatible Low-Level Date
  /// Algorithms" (2013). Years are counted from March: the leap day is then the last of its year,
  /// and a line of slope 153/5 gives the months.
  package init(dayNumber: Int) {
    let shifted = dayNumber + 719_468
    let era = shifted.dividedDown(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * fromMarch + 2) / 5 + 1
    month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01.
  package var dayNumber: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = marchYear.dividedDown(by: 400)
    let yearOfEra = marchYear - era * 400
    let fromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * fromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// How many days the month has.
  package var monthLength: Int { Self.length(ofMonth: month, year: year) }

  /// Returns how many days a month has.
  package static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns whether a year has a leap day.
  package static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  /// 0 is Sunday. 1970-01-01 was a Thursday.
  package static func weekday(ofDayNumber day: Int) -> Int { (day + 4).modulo(7) }
}
