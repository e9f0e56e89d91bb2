internal import AgentText

/// The beginnings of days, weeks, months and years.
///
/// The rules are those of the proleptic Gregorian calendar. Weeks begin on Monday. The offset from
/// UTC is an input, because time zones are files and this target reads none.
public struct QueryCalendar: Sendable {
  private let offset: @Sendable (Int64) -> Int64

  /// A calendar in UTC.
  public static let utc = QueryCalendar { _ in 0 }

  /// - Parameter offset: returns how many milliseconds local time is ahead of UTC at a moment in
  ///   Unix milliseconds.
  public init(offset: @escaping @Sendable (Int64) -> Int64) {
    self.offset = offset
  }

  /// Returns local time in the form of UTC milliseconds.
  func local(_ moment: Int64) -> Int64 {
    moment.clamped &+ offset(moment.clamped)
  }

  /// Returns the moment of a local time. If it occurs twice, the earlier moment counts. If it is
  /// skipped, the moment of the change counts.
  func moment(ofLocal local: Int64) -> Int64 {
    let first = local &- offset(local)
    return local &- offset(min(first, local &- offset(first)))
  }
}

extension Int64 {
  /// The moments of the engine: about eight thousand years around 1970. Sums of moments and lengths
  /// never overflow and always have a date.
  static let latestMoment: Int64 = 250_000_000_000_000

  var clamped: Int64 { Swift.min(Swift.max(self, -Self.latestMoment), Self.latestMoment) }

  /// Returns the greatest multiple of the positive `divisor` that isn't above this number.
  func floored(to divisor: Int64) -> Int64 {
    let rest = self % divisor
    return self - (rest < 0 ? rest + divisor : rest)
  }
}

extension QueryCalendar {
  /// Returns the moment `period` before `moment`. Months and years keep the time of day. They keep
  /// the day if the month has it, and otherwise use its last day.
  func moment(_ period: QueryPeriod, before moment: Int64) -> Int64 {
    let moment = moment.clamped
    if let length = period.milliseconds { return moment - Int64(length) }
    guard let date = CivilTime(local(moment)) else { return moment }
    let number = date.year * 12 + date.month - 1 - period.amount * (period.unit == .year ? 12 : 1)
    let year = Int(Int64(number).floored(to: 12) / 12)
    let month = number - year * 12 + 1
    let earlier = CivilTime(
      year: year, month: month, day: min(date.day, CivilDate.length(ofMonth: month, year: year)),
      millisecondOfDay: date.millisecondOfDay)
    return earlier.map { self.moment(ofLocal: $0.milliseconds) } ?? -Int64.latestMoment
  }
}
