internal import AgentText

/// A moment as a date and a time of day in UTC, in the Gregorian calendar.
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
    let date = CivilDate(dayNumber: Int(milliseconds.dividedDown(by: Self.millisecondsADay)))
    year = date.year
    month = date.month
    day = date.day
    millisecondOfDay = Int(milliseconds.modulo(Self.millisecondsADay))
  }

  /// Makes a date and a time of day. Nil means that the calendar has no such date.
  init?(year: Int, month: Int, day: Int, millisecondOfDay: Int = 0) {
    guard (-9_999...9_999).contains(year), (1...12).contains(month), day >= 1,
      day <= CivilDate.length(ofMonth: month, year: year),
      (0..<86_400_000).contains(millisecondOfDay)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.millisecondOfDay = millisecondOfDay
  }

  /// The moment in Unix milliseconds.
  var milliseconds: Int64 {
    let days = CivilDate(year: year, month: month, day: day).dayNumber
    return Int64(days) * Self.millisecondsADay + Int64(millisecondOfDay)
  }

  /// The day of the week; 1 is Monday, 7 Sunday, as in ISO 8601.
  var weekday: Int {
    let days = (milliseconds - Int64(millisecondOfDay)) / Self.millisecondsADay
    // 1970-01-01 was a Thursday.
    return Int((days + 3).modulo(7)) + 1
  }

  /// Returns the start of the period of this moment. Weeks start on Monday. Several months or years
  /// are counted from year 0, several weeks from 1970.
  func floored(_ amount: Int, _ unit: QueryPeriod.Unit) -> Int64? {
    func down(_ value: Int, _ step: Int) -> Int { value - value.modulo(step) }
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
