/// A fixed length of time between two runs, at least one second and at most 3660 days.
///
/// Days and weeks are 24 hours and seven times that, whatever the clock on the wall does; who means
/// a time of day writes a cron expression.
public struct Interval: Sendable, Hashable, CustomStringConvertible {
  /// How long it may be, in milliseconds.
  public static let range: ClosedRange<Int64> = 1000...(3660 * 86_400_000)

  /// How long it is.
  public let milliseconds: Int64

  /// An interval of `milliseconds`; nil if it is out of ``range``.
  public init?(milliseconds: Int64) {
    guard Self.range.contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  /// Reads `90s`, `2h`, `1h30m`, `1d`, `1w`, `500ms` as a part, or an ISO 8601 duration such as
  /// `PT1H30M` or `P1DT12H`.
  ///
  /// - Throws: ``ScheduleError`` that says what was found and what may stand there.
  public init(_ text: String) throws(ScheduleError) {
    guard text.utf8.count <= 64 else {
      throw ScheduleError(
        .interval, "An interval of more than 64 characters was found. \(Self.examples)")
    }
    var reader = IntervalReader(text)
    let milliseconds = try reader.milliseconds()
    guard Self.range.contains(milliseconds) else {
      throw ScheduleError(
        .interval,
        "The interval \(text.debugDescription) is too \(milliseconds < 1000 ? "short" : "long"). From 1s to 3660d is allowed."
      )
    }
    self.milliseconds = milliseconds
  }

  static let examples = "Examples: 90s, 15m, 2h, 1h30m, 1d, PT1H30M."

  /// As it can be read again: `1h30m`.
  public var text: String {
    parts.map { "\($0.count)\($0.unit)" }.joined()
  }

  /// For people: `every 1 hour 30 minutes`.
  public var description: String {
    let words = ["d": "day", "h": "hour", "m": "minute", "s": "second", "ms": "millisecond"]
    let parts = parts.map { part in
      "\(part.count) \(words[part.unit] ?? part.unit)\(part.count == 1 ? "" : "s")"
    }
    return "every " + parts.joined(separator: " ")
  }

  private var parts: [(count: Int64, unit: String)] {
    var rest = milliseconds
    var parts: [(count: Int64, unit: String)] = []
    for (length, unit) in [
      (86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1000, "s"), (1, "ms"),
    ]
      as [(Int64, String)]
    where rest >= length {
      parts.append((rest / length, unit))
      rest %= length
    }
    return parts
  }
}
