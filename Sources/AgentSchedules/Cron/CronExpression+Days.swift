internal import AgentText

extension CronExpression {
  private static let everyDay: UInt32 = 0xffff_fffe
  private static let wholeWeek: UInt8 = 0x7f

  /// Returns the matching days of a month, as bits 1 to 31.
  ///
  /// The rule is that of Debian's cron. If day of month or day of week begins with a star, both
  /// must match. Otherwise, one of them is enough.
  func matchingDays(year: Int, month: Int) -> UInt32 {
    let length = CivilDate.length(ofMonth: month, year: year)
    let exists = Self.everyDay & (UInt32.max >> (31 - length))
    if days == Self.everyDay, weekdays == Self.wholeWeek, marks.contains(.dayStar) {
      return exists
    }
    let first = CivilDate.weekday(
      ofDayNumber: CivilDate(year: year, month: month, day: 1).dayNumber)
    let byMonth = matchingMonthDays(length: length, first: first)
    let byWeek = matchingWeekDays(length: length, first: first)
    let isEither = marks.isDisjoint(with: [.dayStar, .weekdayStar])
    return exists & (isEither ? byMonth | byWeek : byMonth & byWeek)
  }

  /// - Parameter first: the weekday of the month's first day.
  private func matchingMonthDays(length: Int, first: Int) -> UInt32 {
    var mask = days
    for back in daysFromEnd.setBits where back < length {
      mask |= 1 << (length - back)
    }
    for day in nearestWeekdays.setBits where day <= length {
      mask |= 1 << (Self.workday(nearestTo: day, length: length, first: first))
    }
    if marks.contains(.lastWorkday) {
      mask |= 1 << (Self.workday(nearestTo: length, length: length, first: first))
    }
    return mask
  }

  /// Returns the nearest day from Monday to Friday in the same month. Saturday moves to the Friday
  /// before it and Sunday to the Monday after it. If that is in another month, they move in the
  /// other direction.
  private static func workday(nearestTo day: Int, length: Int, first: Int) -> Int {
    switch (first + day - 1) % 7 {
    case 6: day == 1 ? 3 : day - 1
    case 0: day == length ? day - 2 : day + 1
    default: day
    }
  }

  private func matchingWeekDays(length: Int, first: Int) -> UInt32 {
    var mask: UInt32 = 0
    for weekday in weekdays.setBits {
      // Every seventh day, beginning with the first such weekday.
      mask |= UInt32(
        truncatingIfNeeded: UInt64(0x1020_4081) << ((weekday - first + 7) % 7 + 1))
    }
    for bit in nthWeekdays.setBits {
      let (nth, weekday) = bit.quotientAndRemainder(dividingBy: 7)
      let earliest = (weekday - first + 7) % 7 + 1
      let day = nth < 5 ? earliest + nth * 7 : earliest + (length - earliest) / 7 * 7
      if day <= length { mask |= 1 << day }
    }
    return mask
  }
}

extension FixedWidthInteger {
  /// The set bits, from the lowest.
  var setBits: SetBits<Self> { SetBits(rest: self) }
}

/// Iterates the set bits of a number.
struct SetBits<Number: FixedWidthInteger>: Sequence, IteratorProtocol {
  var rest: Number

  mutating func next() -> Int? {
    guard rest != 0 else { return nil }
    defer { rest &= rest &- 1 }
    return rest.trailingZeroBitCount
  }
}
