internal import AgentJSON
internal import AgentSystem
internal import Glibc

/// Formats and parses times for people.
enum Moment {
  /// Returns the local day of Unix milliseconds, such as `2026-11-22`. A missing value becomes a
  /// dash.
  static func day(_ value: JSONValue?) -> String { text(value, "%Y-%m-%d") }

  /// Returns the local day and minute, such as `2026-11-22 16:04`.
  static func minute(_ value: JSONValue?) -> String { text(value, "%Y-%m-%d %H:%M") }

  private static func text(_ value: JSONValue?, _ format: String) -> String {
    guard let milliseconds = value?.int else { return "-" }
    var (time, parts) = (time_t(milliseconds / 1000), tm())
    guard localtime_r(&time, &parts) != nil else { return "-" }
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns the milliseconds of a span such as `90m`, `12h` or `30d`. Nil means that the text
  /// isn't one.
  static func milliseconds(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()),
      number > 0
    else { return nil }
    let (span, overflow) = number.multipliedReportingOverflow(by: unit)
    return overflow ? nil : span
  }

  /// Returns the Unix milliseconds of a local time, `2026-11-22`, `2026-11-22 16:04` or
  /// `2026-11-22T16:04:05`, or of a span before now.
  static func named(_ text: String) -> Int64? {
    let now = Timestamp.now()
    if let span = milliseconds(text) { return span < now ? now.subtracting(span) : nil }
    let parts = text.split { "-T :".contains($0) }.compactMap { Int32($0) }
    // The time must be the same when it is formatted again. A day such as 31 February would become
    // another one.
    let forms = [3: "%Y-%m-%d", 5: "%Y-%m-%d %H:%M", 6: "%Y-%m-%d %H:%M:%S"]
    guard let form = forms[parts.count], (1970...9999).contains(parts[0]),
      parts.dropFirst().allSatisfy({ (0...99).contains($0) })
    else { return nil }
    var time = tm()
    time.tm_year = parts[0] - 1900
    time.tm_mon = parts[1] - 1
    time.tm_mday = parts[2]
    if parts.count > 3 { (time.tm_hour, time.tm_min) = (parts[3], parts[4]) }
    if parts.count > 5 { time.tm_sec = parts[5] }
    // The system decides whether it is daylight saving time.
    time.tm_isdst = -1
    let seconds = mktime(&time)
    guard seconds > 0 else { return nil }
    let milliseconds = Int64(seconds).multiplied(1000)
    let written = Self.text(JSONValue(milliseconds), form)
    return written == text.replacing("T", with: " ") ? milliseconds : nil
  }
}
