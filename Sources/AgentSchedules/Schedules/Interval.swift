/// A fixed time between two runs, from one second to 3660 days.
///
/// A day is always 24 hours and a week seven times that, even if the clock is put forward or back.
/// For a fixed time of day, a schedule needs a cron expression.
public struct Interval: Sendable, Hashable, CustomStringConvertible {
  /// The valid lengths, in milliseconds.
  public static let range: ClosedRange<Int64> = 1000...(3660 * 86_400_000)

  /// The length, in milliseconds.
  public let milliseconds: Int64

  /// Creates an interval. Returns `nil` if `milliseconds` is outside ``range``.
  public init?(milliseconds: Int64) {
    guard Self.range.contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  /// Reads `90s`, `2h`, `1h30m`, `1d` or `1w`, or an ISO 8601 duration such as `PT1H30M` or
  /// `P1DT12H`. Milliseconds, such as `500ms`, are allowed as a part.
  ///
  /// - Throws: ``ScheduleError`` with the found text and the allowed forms.
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

  /// The interval in a form that can be read again: `1h30m`.
  public var text: String {
    parts.map { "\($0.count)\($0.unit)" }.joined()
  }

  /// The interval for people: `every 1 hour 30 minutes`.
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
