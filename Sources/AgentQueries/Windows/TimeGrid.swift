/// The moments of `every 30 seconds`: the beginnings of periods.
///
/// Up to hours these are multiples of the period since 1970-01-01T00:00Z. Days are counted in the
/// calendar from that day, weeks from its first Monday, and months and years from year 0. `every 3
/// months` is therefore each quarter.
struct TimeGrid: Sendable {
  private let amount: Int
  private let unit: QueryPeriod.Unit
  private let calendar: QueryCalendar

  init(_ period: QueryPeriod, _ calendar: QueryCalendar) {
    amount = period.amount
    unit = period.unit
    self.calendar = calendar
  }

  /// Makes the grid of whole units.
  init(_ unit: QueryPeriod.Unit, _ calendar: QueryCalendar) {
    amount = 1
    self.unit = unit
    self.calendar = calendar
  }

  /// Returns the latest moment of the grid that isn't after `moment`.
  func floor(_ moment: Int64) -> Int64 {
    let moment = moment.clamped
    if let length = evenLength { return moment.floored(to: length) }
    // If the clock is set back, the start of a day can be after a moment of that day.
    return min(calendar.moment(ofLocal: localStart(of: calendar.local(moment))), moment)
  }

  /// Returns the earliest moment of the grid after `moment`.
  func next(after moment: Int64) -> Int64 {
    let moment = moment.clamped
    if let length = evenLength { return moment.floored(to: length) + length }
    let next = localNext(after: localStart(of: calendar.local(moment)))
    let start = calendar.moment(ofLocal: next)
    return start > moment ? start : calendar.moment(ofLocal: localNext(after: next))
  }

  /// Returns the latest moment of the grid before `moment`.
  func previous(before moment: Int64) -> Int64 { floor(moment.clamped - 1) }

  /// The length, if all periods have the same one.
  private var evenLength: Int64? {
    switch unit {
    case .millisecond, .second, .minute, .hour: Int64(amount * unit.leastMilliseconds)
    case .day, .week, .month, .year: nil
    }
  }

  private func localStart(of local: Int64) -> Int64 {
    CivilTime(local)?.floored(amount, unit) ?? local
  }

  /// Returns the start of the next period in local time.
  private func localNext(after start: Int64) -> Int64 {
    let longest: Int64 =
      switch unit {
      case .week: 7
      case .month: 31
      case .year: 366
      default: 1
      }
    // The longest possible period leads into the next one and not beyond it.
    let inside = start + Int64(amount) * longest * 86_400_000
    return max(localStart(of: inside), start + 1)
  }
}
