internal import AgentText

extension CronExpression {
  private static let everyDay: UInt32 = 0xffff_fffe
  private static let wholeWeek: UInt8 = 0x7f

  /// The matching days of a month, as bits 1 to 31.
  ///
  /// As in Debian's cron, day of month and day of week must both match if one of them begins with a
  /// star. If both are restricted, either is enough.
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

  /// `first` is the weekday of the month's first day.
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

  /// Monday to Friday within the same month: Saturday goes to the Friday before it, Sunday to the
  /// Monday after it, unless that is in another month.
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
      // Every seventh day from the first of its kind on.
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
  /// The bits that are set, from the lowest.
  var setBits: SetBits<Self> { SetBits(rest: self) }
}

/// Goes over the bits of a number that are set.
struct SetBits<Number: FixedWidthInteger>: Sequence, IteratorProtocol {
  var rest: Number

  mutating func next() -> Int? {
    guard rest != 0 else { return nil }
    defer { rest &= rest &- 1 }
    return rest.trailingZeroBitCount
  }
}
