internal import Glibc

extension Timestamp {
  /// Returns the time in RFC 3339, UTC with milliseconds, such as `2026-11-22T02:30:00.125Z`.
  ///
  /// - Parameter milliseconds: unix milliseconds.
  package static func text(_ milliseconds: Int64) -> String {
    var seconds = time_t(milliseconds / 1000)
    var part = milliseconds % 1000
    if part < 0 {
      part = part &+ 1000
      seconds -= 1
    }
    var fields = tm()
    gmtime_r(&seconds, &fields)
    func padded(_ number: some BinaryInteger, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return padded(fields.tm_year + 1900, 4) + "-" + padded(fields.tm_mon + 1, 2) + "-"
      + padded(fields.tm_mday, 2) + "T" + padded(fields.tm_hour, 2) + ":"
      + padded(fields.tm_min, 2) + ":" + padded(fields.tm_sec, 2) + "." + padded(part, 3) + "Z"
  }

  /// Returns the time of the wall clock in Unix milliseconds. The clock can jump, so measure
  /// durations with `ContinuousClock`.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec).multiplied(1000).adding(Int64(time.tv_nsec) / 1_000_000)
  }
}
