/// The dates and times of RFC 3339, section 5.6.
enum DateFormat {
  static func checkDateTime(_ bytes: Span<UInt8>) throws(FormatFault) {
    var at = 0
    let day = try readDate(bytes, &at)
    guard bytes.byte(at) | 0x20 == UInt8(ascii: "t") else { throw .noTime }
    at += 1
    let leap = try readTime(bytes, &at)
    try bytes.end(at)
    guard leap == .none || leap == day else { throw .leapSecond }
  }

  static func checkDate(_ bytes: Span<UInt8>) throws(FormatFault) {
    var at = 0
    _ = try readDate(bytes, &at)
    try bytes.end(at)
  }

  static func checkTime(_ bytes: Span<UInt8>) throws(FormatFault) {
    var at = 0
    _ = try readTime(bytes, &at)
    try bytes.end(at)
  }

  /// The position of a day in its month. A leap second ends a month in UTC. In zones ahead of UTC,
  /// that is on the first of the next month, and in all others on the last (appendix D).
  private enum MonthDay { case none, first, last }

  @inline(__always)
  private static func readDate(
    _ bytes: Span<UInt8>, _ at: inout Int
  ) throws(FormatFault) -> MonthDay {
    let year = try bytes.number(digits: 4, &at)
    try bytes.skip("-", &at)
    let month = try bytes.number(digits: 2, &at)
    guard month &- 1 < 12, month > 0 else { throw .missing(.month, month) }
    try bytes.skip("-", &at)
    let day = try bytes.number(digits: 2, &at)
    let length = length(of: month, in: year)
    guard day > 0, day <= length else { throw .missing(.day, day) }
    return day == length ? .last : day == 1 ? .first : .none
  }

  private static func length(of month: Int, in year: Int) -> Int {
    if month == 2 {
      return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    }
    // From August on, the even months have 31 days.
    return 30 + (month ^ (month >> 3)) & 1
  }

  /// Returns the day of the month that a leap second needs, or `none` if a leap second is
  /// impossible.
  @inline(__always)
  private static func readTime(
    _ bytes: Span<UInt8>, _ at: inout Int
  ) throws(FormatFault) -> MonthDay {
    let hour = try bytes.number(digits: 2, &at)
    guard hour < 24 else { throw .missing(.hour, hour) }
    try bytes.skip(":", &at)
    let minute = try bytes.number(digits: 2, &at)
    guard minute < 60 else { throw .missing(.minute, minute) }
    try bytes.skip(":", &at)
    let second = try bytes.number(digits: 2, &at)
    guard second < 61 else { throw .missing(.second, second) }
    if bytes.has(".", at) {
      at += 1
      try bytes.skipDigits(&at)
    }
    let offset = try readOffset(bytes, &at)
    guard second == 60 else { return .none }
    switch hour * 60 + minute - offset {
    case 23 * 60 + 59: return .last
    case -1: return .first
    default: throw .leapSecond
    }
  }

  /// Reads the offset of the zone from UTC, in minutes.
  @inline(__always)
  private static func readOffset(
    _ bytes: Span<UInt8>, _ at: inout Int
  ) throws(FormatFault) -> Int {
    let sign = bytes.byte(at)
    if sign | 0x20 == UInt8(ascii: "z") {
      at += 1
      return 0
    }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      throw at == bytes.count ? .noZone : .unexpected(at: at)
    }
    at += 1
    let hours = try bytes.number(digits: 2, &at)
    guard hours < 24 else { throw .missing(.hour, hours) }
    try bytes.skip(":", &at)
    let minutes = try bytes.number(digits: 2, &at)
    guard minutes < 60 else { throw .missing(.minute, minutes) }
    return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }
}
