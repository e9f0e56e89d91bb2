/// Where days, weeks, months and years begin.
///
/// The rules are those of the proleptic Gregorian calendar; weeks begin on Monday. The offset from
/// UTC is an input, because time zones are files and this target reads none.
public struct QueryCalendar: Sendable {
  private let offset: @Sendable (Int64) -> Int64

  /// A calendar in UTC.
  public static let utc = QueryCalendar { _ in 0 }

  /// - Parameter offset: by how many milliseconds local time is ahead of UTC at a moment, which is
  ///   given in Unix milliseconds.
  public init(offset: @escaping @Sendable (Int64) -> Int64) {
    self.offset = offset
  }

  /// Local wall-clock time, as if it were UTC.
  func local(_ moment: Int64) -> Int64 {
    moment.clamped &+ offset(moment.clamped)
  }

  /// The moment at which the local wall clock shows `local`; of two the earlier one, and where it
  /// is skipped the moment at which it was.
  func moment(ofLocal local: Int64) -> Int64 {
    let first = local &- offset(local)
    return local &- offset(min(first, local &- offset(first)))
  }
}

extension Int64 {
  /// The moments that the engine computes with: some eight thousand years around 1970, so that
  /// sums of moments and lengths never overflow and always have a date.
  static let latestMoment: Int64 = 250_000_000_000_000

  var clamped: Int64 { Swift.min(Swift.max(self, -Self.latestMoment), Self.latestMoment) }

  /// The greatest multiple of `divisor`, which is positive, that isn't above this.
  func floored(to divisor: Int64) -> Int64 {
    let rest = self % divisor
    return self - (rest < 0 ? rest + divisor : rest)
  }
}

extension QueryCalendar {
  /// The moment `period` before `moment`. Months and years keep the time of the day, and the day
  /// where the month has it, else take the month's last day.
  func moment(_ period: QueryPeriod, before moment: Int64) -> Int64 {
    let moment = moment.clamped
    if let length = period.milliseconds { return moment - Int64(length) }
    guard let date = CivilTime(local(moment)) else { return moment }
    let number = date.year * 12 + date.month - 1 - period.amount * (period.unit == .year ? 12 : 1)
    let year = Int(Int64(number).floored(to: 12) / 12)
    let month = number - year * 12 + 1
    let earlier = CivilTime(
      year: year, month: month, day: min(date.day, CivilTime.days(inMonth: month, of: year)),
      millisecondOfDay: date.millisecondOfDay)
    return earlier.map { self.moment(ofLocal: $0.milliseconds) } ?? -Int64.latestMoment
  }
}
