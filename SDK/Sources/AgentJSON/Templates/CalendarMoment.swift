/// A moment in UTC in the proleptic Gregorian calendar.
public struct CalendarMoment: Sendable, Hashable {
  private let days: Int64
  private let seconds: Int64

  /// Creates a moment from Unix milliseconds.
  public init(_ milliseconds: Int64) {
    let all = milliseconds.floored(by: 1000)
    days = all.floored(by: 86_400)
    seconds = all - days * 86_400
  }

  /// The time of day: `12:05:09`.
  public var time: String {
    "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }

  /// The date: `2026-11-22`.
  ///
  /// Years begin in March in the computation, so that a leap day is the last day of its year.
  /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013.
  public var date: String {
    let shifted = days + 719_468
    let era = shifted.floored(by: 146_097)
    let day = shifted - era * 146_097
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let isNextYear = month >= 10
    let name = isNextYear ? month - 9 : month + 3
    return "\(era * 400 + year + (isNextYear ? 1 : 0))-\(two(name))-"
      + two(dayOfYear - (153 * month + 2) / 5 + 1)
  }

  /// Returns the two largest units of a duration: `2 min 5 s`.
  public static func duration(_ milliseconds: Int64) -> String {
    let sign = milliseconds < 0 ? "-" : ""
    var rest = milliseconds.magnitude
    if rest < 1000 { return "\(sign)\(rest) ms" }
    var parts: [String] = []
    for (unit, length) in [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000)]
      as [(String, UInt64)]
    {
      if rest >= length { parts.append("\(rest / length) \(unit)") }
      rest %= length
    }
    return sign + parts.prefix(2).joined(separator: " ")
  }

  private func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Int64 {
  /// Returns the quotient, rounded towards minus infinity.
  fileprivate func floored(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : -((-(self + 1)) / divisor) - 1
  }
}
