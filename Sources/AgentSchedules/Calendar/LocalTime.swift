internal import AgentText

/// A date and a time of day without a time zone, as on a calendar and a wall clock.
public struct LocalTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The seconds since 1970-01-01T00:00:00 local time, as if the clock had never been set.
  let seconds: Int

  init(seconds: Int) { self.seconds = seconds }

  /// Creates a date and a time. Returns `nil` if there is no such day or time, or the year isn't 1
  /// to 9999.
  public init?(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0
  ) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= CivilDate.length(ofMonth: month, year: year),
      (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    seconds = date.dayNumber * 86_400 + hour * 3600 + minute * 60 + second
  }

  private var date: CivilDate { CivilDate(dayNumber: seconds.dividedDown(by: 86_400)) }
  private var secondOfDay: Int { seconds.modulo(86_400) }

  /// The year, 1 to 9999.
  public var year: Int { date.year }
  /// The month, 1 to 12.
  public var month: Int { date.month }
  /// The day of the month, 1 to 31.
  public var day: Int { date.day }
  /// The day of the week: 0 is Sunday, 6 is Saturday.
  public var weekday: Int { CivilDate.weekday(ofDayNumber: seconds.dividedDown(by: 86_400)) }
  /// The hour, 0 to 23.
  public var hour: Int { secondOfDay / 3600 }
  /// The minute, 0 to 59.
  public var minute: Int { secondOfDay / 60 % 60 }
  /// The second, 0 to 59.
  public var second: Int { secondOfDay % 60 }

  /// Whether `left` shows an earlier local time.
  public static func < (left: LocalTime, right: LocalTime) -> Bool { left.seconds < right.seconds }

  /// The text in the form `2026-03-29T02:30:00`.
  public var description: String {
    let date = date
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
      + "T\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
  }
}

/// Returns a number with leading zeros.
func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
