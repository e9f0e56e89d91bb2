internal import AgentText

extension CronExpression {
  /// The calendar repeats after 400 years, including the weekdays. A day that isn't found in that
  /// time never comes.
  private static let cycle = 400

  /// Whether any day matches.
  var everFires: Bool {
    nextWall(from: CivilDate(year: 2000, month: 1, day: 1).dayNumber * 86_400) != nil
  }

  /// Returns the first matching local time at or after `wall`, in seconds since 1970 local time. It
  /// searches the bits of each field and doesn't step through time, so the cost doesn't depend on
  /// the distance.
  func nextWall(from wall: Int) -> Int? {
    let day = wall.dividedDown(by: 86_400)
    let date = CivilDate(dayNumber: day)
    let ofMonth =
      months & (1 << date.month) == 0
      ? 0 : matchingDays(year: date.year, month: date.month)
    if ofMonth & (1 << date.day) != 0, let time = nextTime(from: wall - day * 86_400) {
      return day * 86_400 + time
    }
    guard let day = nextDay(after: date, of: ofMonth) else { return nil }
    return day * 86_400 + firstTime
  }

  private func nextDay(after date: CivilDate, of ofMonth: UInt32) -> Int? {
    let later = ofMonth & ~(UInt32.max >> (31 - date.day))
    if later != 0 {
      return CivilDate(
        year: date.year, month: date.month, day: later.trailingZeroBitCount
      ).dayNumber
    }
    var year = date.year
    var rest = months & ~(UInt16.max >> (15 - date.month))
    while year <= date.year + Self.cycle {
      for month in rest.setBits {
        let days = matchingDays(year: year, month: month)
        if days != 0 {
          return CivilDate(year: year, month: month, day: days.trailingZeroBitCount).dayNumber
        }
      }
      year += 1
      rest = months
    }
    return nil
  }

  /// The first matching second of a day.
  private var firstTime: Int {
    hours.trailingZeroBitCount * 3600 + minutes.trailingZeroBitCount * 60
      + seconds.trailingZeroBitCount
  }

  /// Returns the first matching second of the day at or after `from`, or `nil` if there is none.
  private func nextTime(from: Int) -> Int? {
    let hour = from / 3600
    let minute = from / 60 % 60
    if hours & (1 << hour) != 0 {
      if minutes & (1 << minute) != 0 {
        let left = seconds >> (from % 60)
        if left != 0 { return from + left.trailingZeroBitCount }
      }
      let left = minutes >> (minute + 1)
      if left != 0 {
        return hour * 3600 + (minute + 1 + left.trailingZeroBitCount) * 60
          + seconds.trailingZeroBitCount
      }
    }
    let left = hours >> (hour + 1)
    guard left != 0 else { return nil }
    return (hour + 1 + left.trailingZeroBitCount) * 3600 + minutes.trailingZeroBitCount * 60
      + seconds.trailingZeroBitCount
  }
}
