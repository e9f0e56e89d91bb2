internal import AgentJSON
internal import Glibc

/// Times as people read and write them.
enum Moment {
  /// The day, in local time, of Unix milliseconds: `2026-11-22`; a dash where there is none.
  static func day(_ value: JSONValue?) -> String { text(value, "%Y-%m-%d") }

  /// The same with the time of day: `2026-11-22 16:04`.
  static func minute(_ value: JSONValue?) -> String { text(value, "%Y-%m-%d %H:%M") }

  private static func text(_ value: JSONValue?, _ format: String) -> String {
    guard let milliseconds = value?.int else { return "-" }
    var (time, parts) = (time_t(milliseconds / 1000), tm())
    guard localtime_r(&time, &parts) != nil else { return "-" }
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The milliseconds of a span such as `90m`, `12h` or `30d`; nil when it isn't one.
  static func milliseconds(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()),
      number > 0
    else { return nil }
    let (span, overflow) = number.multipliedReportingOverflow(by: unit)
    return overflow ? nil : span
  }
}
