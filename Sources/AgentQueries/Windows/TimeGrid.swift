/// The moments of `every 30 seconds`: where periods begin.
///
/// Up to hours they are the multiples of the period since 1970-01-01T00:00Z. Days are counted in
/// the calendar from that day on, weeks from Monday, 1969-12-29, months and years from year 0, so
/// that `every 3 months` are the quarters.
struct TimeGrid: Sendable {
  private let amount: Int64
  private let unit: QueryPeriod.Unit
  private let calendar: QueryCalendar

  init(_ period: QueryPeriod, _ calendar: QueryCalendar) {
    amount = Int64(period.amount)
    unit = period.unit
    self.calendar = calendar
  }

  /// The grid of whole units.
  init(_ unit: QueryPeriod.Unit, _ calendar: QueryCalendar) {
    amount = 1
    self.unit = unit
    self.calendar = calendar
  }

  /// The latest of the moments that isn't after `moment`.
  func floor(_ moment: Int64) -> Int64 {
    let moment = moment.clamped
    if let length = evenLength { return moment.floored(to: length) }
    let local = calendar.local(moment)
    let start = calendar.moment(ofLocal: localStart(index(ofLocal: local)))
    // Where the clock is set back, the start of a day can lie after a moment of it.
    return min(start, moment)
  }

  /// The earliest of the moments after `moment`.
  func next(after moment: Int64) -> Int64 {
    let moment = moment.clamped
    if let length = evenLength { return moment.floored(to: length) + length }
    let index = index(ofLocal: calendar.local(moment))
    let next = calendar.moment(ofLocal: localStart(index + 1))
    return next > moment ? next : calendar.moment(ofLocal: localStart(index + 2))
  }

  /// The latest of the moments before `moment`.
  func previous(before moment: Int64) -> Int64 { floor(moment.clamped - 1) }

  /// The length where all periods have the same.
  var evenLength: Int64? {
    switch unit {
    case .millisecond, .second, .minute, .hour: amount * Int64(unit.leastMilliseconds)
    case .day, .week, .month, .year: nil
    }
  }

  /// The number of the period that a local time lies in.
  private func index(ofLocal local: Int64) -> Int64 {
    let day = local.floored(to: CivilDay.milliseconds) / CivilDay.milliseconds
    let units: Int64 =
      switch unit {
      case .week: (day + 3).floored(to: 7) / 7
      case .month: monthNumber(CivilDay(number: day))
      case .year: CivilDay(number: day).year
      default: day
      }
    return units.floored(to: amount) / amount
  }

  /// When the period with that number begins, in local time.
  private func localStart(_ index: Int64) -> Int64 {
    let units = index * amount
    let day: Int64 =
      switch unit {
      case .week: units * 7 - 3
      case .month: CivilDay.firstDay(ofMonthNumber: units)
      case .year: CivilDay.number(year: units, month: 1, day: 1)
      default: units
      }
    return day * CivilDay.milliseconds
  }

  private func monthNumber(_ date: CivilDay) -> Int64 { date.year * 12 + date.month - 1 }
}

extension CivilDay {
  /// The number of the first day of a month that is counted from January of year 0.
  static func firstDay(ofMonthNumber number: Int64) -> Int64 {
    let year = number.floored(to: 12) / 12
    return self.number(year: year, month: number - year * 12 + 1, day: 1)
  }
}

extension QueryCalendar {
  /// The moment `period` before `moment`. Months and years keep the time of the day, and the day
  /// where the month has it, else take the month's last day.
  func moment(_ period: QueryPeriod, before moment: Int64) -> Int64 {
    let moment = moment.clamped
    if let length = period.milliseconds { return moment - Int64(length) }
    let local = self.local(moment)
    let day = local.floored(to: CivilDay.milliseconds)
    let date = CivilDay(number: day / CivilDay.milliseconds)
    let months = Int64(period.amount) * (period.unit == .year ? 12 : 1)
    let number = date.year * 12 + date.month - 1 - months
    let year = number.floored(to: 12) / 12
    let month = number - year * 12 + 1
    let kept = min(date.day, CivilDay.days(inMonth: month, of: year))
    let start = CivilDay.number(year: year, month: month, day: kept) * CivilDay.milliseconds
    return self.moment(ofLocal: start + (local - day))
  }
}
