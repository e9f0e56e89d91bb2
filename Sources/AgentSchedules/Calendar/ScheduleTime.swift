internal import AgentText

/// The range of times for schedules: from year 1 to the end of year 9999.
///
/// Times are Unix milliseconds throughout. A time outside the range has no next fire time.
public enum ScheduleTime {
  /// 0001-01-01T00:00:00Z, in Unix milliseconds.
  public static let earliest: Int64 = -62_135_596_800_000
  /// 9999-12-31T23:59:59.999Z, in Unix milliseconds.
  public static let latest: Int64 = 253_402_300_799_999

  /// Returns the second that contains `time`, or `nil` outside the range.
  static func second(of time: Int64) -> Int? {
    guard time >= earliest, time <= latest else { return nil }
    return Int(time.dividedDown(by: 1000))
  }

  /// Returns the start of a second, or `nil` outside the range.
  static func time(ofSecond second: Int) -> Int64? {
    let time = Int64(second) * 1000
    return time >= earliest && time <= latest ? time : nil
  }
}
