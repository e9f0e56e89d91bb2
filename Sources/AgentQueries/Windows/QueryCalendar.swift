/// Where days, weeks, months and years begin.
///
/// The rules are those of the proleptic Gregorian calendar; weeks begin on Monday. The offset from
/// UTC is asked for, because time zones are files and this room reads none.
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
  /// The moments that the engine computes with: some ten thousand years around 1970, so that sums
  /// of moments and lengths never overflow.
  static let latestMoment: Int64 = 400_000_000_000_000

  var clamped: Int64 { Swift.min(Swift.max(self, -Self.latestMoment), Self.latestMoment) }

  /// The greatest multiple of `divisor`, which is positive, that isn't above this.
  func floored(to divisor: Int64) -> Int64 {
    let rest = self % divisor
    return self - (rest < 0 ? rest + divisor : rest)
  }
}

/// A day as a number and as a date. The arithmetic is Howard Hinnant's («chrono-compatible
/// low-level date algorithms», 2013): years begin in March, so that the leap day is the last.
struct CivilDay {
  static let milliseconds: Int64 = 86_400_000

  let year: Int64
  /// 1…12.
  let month: Int64
  /// 1…31.
  let day: Int64

  /// The date of the day `number`, counted from 1970-01-01.
  init(number: Int64) {
    let shifted = number + 719_468
    let era = shifted.floored(to: 146_097) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The day's number, counted from 1970-01-01.
  static func number(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.floored(to: 400) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// How many days the month has.
  static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    let next = month == 12 ? (year + 1, Int64(1)) : (year, month + 1)
    return number(year: next.0, month: next.1, day: 1)
      - number(year: year, month: month, day: 1)
  }
}
