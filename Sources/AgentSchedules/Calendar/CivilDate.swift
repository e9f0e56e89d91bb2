/// A day of the proleptic Gregorian calendar.
struct CivilDate: Equatable {
  var year: Int
  var month: Int
  var day: Int

  init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day that is `dayNumber` days after 1970-01-01. Years are counted from March: the leap day
  /// is then the last of its year, and a line of slope 153/5 gives the months.
  init(dayNumber: Int) {
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
  var dayNumber: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = marchYear.dividedDown(by: 400)
    let yearOfEra = marchYear - era * 400
    let fromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * fromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// How many days the month has.
  var monthLength: Int { Self.length(ofMonth: month, year: year) }

  static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  /// 0 is Sunday. 1970-01-01 was a Thursday.
  static func weekday(ofDayNumber day: Int) -> Int { (day + 4).modulo(7) }
}

extension FixedWidthInteger {
  /// The quotient, rounded towards minus infinity; `divisor` is positive.
  func dividedDown(by divisor: Self) -> Self {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// What is left of that division: from 0 to below `divisor`.
  func modulo(_ divisor: Self) -> Self {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}
