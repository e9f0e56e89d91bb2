/// A moment as a date and a time of day in UTC, in the Gregorian calendar.
///
/// The conversions between days and dates follow Howard Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms" (2013): years start in March, so that the leap day is the last.
struct CivilTime {
  var year: Int
  var month: Int
  var day: Int
  var millisecondOfDay: Int

  /// The greatest distance from 1970 of a moment with a date.
  static let furthest: Int64 = 8_000_000_000_000_000

  private static let millisecondsADay: Int64 = 86_400_000

  /// Makes the date of a moment in Unix milliseconds. Nil means that it is more than 250,000 years
  /// away.
  init?(_ milliseconds: Int64) {
    guard (-Self.furthest...Self.furthest).contains(milliseconds) else { return nil }
    let rest = milliseconds % Self.millisecondsADay
    let ofDay = rest < 0 ? rest + Self.millisecondsADay : rest
    let days = Int((milliseconds - ofDay) / Self.millisecondsADay)
    millisecondOfDay = Int(ofDay)
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Makes a date and a time of day. Nil means that the calendar has no such date.
  init?(year: Int, month: Int, day: Int, millisecondOfDay: Int = 0) {
    guard (-9_999...9_999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.days(inMonth: month, of: year), (0..<86_400_000).contains(millisecondOfDay)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.millisecondOfDay = millisecondOfDay
  }

  /// The moment in Unix milliseconds.
  var milliseconds: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return Int64(days) * Self.millisecondsADay + Int64(millisecondOfDay)
  }

  /// The day of the week; 1 is Monday, 7 Sunday, as in ISO 8601.
  var weekday: Int {
    let days = (milliseconds - Int64(millisecondOfDay)) / Self.millisecondsADay
    let shifted = Int((days + 3) % 7)
    return (shifted < 0 ? shifted + 7 : shifted) + 1
  }

  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the start of the period of this moment. Weeks start on Monday. Several months or years
  /// are counted from year 0, several weeks from 1970.
  func floored(_ amount: Int, _ unit: QueryPeriod.Unit) -> Int64? {
    func down(_ value: Int, _ step: Int) -> Int {
      let rest = value % step
      return value - (rest < 0 ? rest + step : rest)
    }
    switch unit {
    case .year: return CivilTime(year: down(year, amount), month: 1, day: 1)?.milliseconds
    case .month:
      let months = down(year * 12 + month - 1, amount)
      let start = down(months, 12)
      return CivilTime(year: start / 12, month: months - start + 1, day: 1)?.milliseconds
    case .week:
      // The first Monday after 1970-01-01 was the 5th.
      let day = Int((milliseconds - Int64(millisecondOfDay)) / Self.millisecondsADay)
      return Int64(down(day - 4, 7 * amount) + 4) * Self.millisecondsADay
    default:
      let step = amount * unit.leastMilliseconds
      return Int64(down(Int(milliseconds), step))
    }
  }
}
