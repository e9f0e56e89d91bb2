internal import AgentText

/// The span of time in which this target computes: from the year 1 to the end of 9999.
///
/// Times are Unix milliseconds throughout; what lies outside of the span has no next fire time.
public enum ScheduleTime {
  /// 0001-01-01T00:00:00Z, in Unix milliseconds.
  public static let earliest: Int64 = -62_135_596_800_000
  /// 9999-12-31T23:59:59.999Z, in Unix milliseconds.
  public static let latest: Int64 = 253_402_300_799_999

  /// The second that `time` lies in, nil outside of the span.
  static func second(of time: Int64) -> Int? {
    guard time >= earliest, time <= latest else { return nil }
    return Int(time.dividedDown(by: 1000))
  }

  /// The time at which a second begins, nil outside of the span.
  static func time(ofSecond second: Int) -> Int64? {
    let time = Int64(second) * 1000
    return time >= earliest && time <= latest ? time : nil
  }
}
