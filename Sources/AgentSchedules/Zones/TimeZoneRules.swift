internal import AgentText

/// A time zone: all changes of its clock and their offsets.
///
/// ``TimeZoneDatabase`` reads it from a TZif file and returns one object for each zone, which all
/// schedules share.
public final class TimeZoneRules: Sendable, CustomStringConvertible {
  /// Coordinated Universal Time, which needs no file.
  public static let utc = TimeZoneRules(
    name: "UTC", starts: [], offsets: [0], footer: nil)

  /// The name, such as `Europe/Berlin`.
  public let name: String
  /// The times of the changes, in Unix seconds, ascending.
  let starts: [Int]
  /// The offsets from UTC in seconds: the one before the first change, then one from each change
  /// on.
  let offsets: [Int32]
  /// The rule after the last change.
  let footer: PosixTimeZone?

  init(name: String, starts: [Int], offsets: [Int32], footer: PosixTimeZone?) {
    self.name = name
    self.starts = starts
    self.offsets = offsets
    self.footer = footer
  }

  /// Reads the contents of a TZif file (RFC 8536, versions 1 to 4).
  ///
  /// - Throws: ``TimeZoneError`` if the file is invalid.
  public convenience init(name: String, file: [UInt8]) throws(TimeZoneError) {
    var reader = TimeZoneFileReader(file)
    let table = try reader.table(of: name)
    self.init(name: name, starts: table.starts, offsets: table.offsets, footer: table.footer)
  }

  /// The same as ``name``.
  public var description: String { name }

  /// Returns the offset of local time from UTC at `time` (Unix milliseconds), in seconds.
  public func offset(at time: Int64) -> Int {
    let clamped = min(max(time, ScheduleTime.earliest), ScheduleTime.latest)
    return span(at: Int(clamped.dividedDown(by: 1000))).offset
  }

  /// Returns the local time at `time` (Unix milliseconds). Outside ``ScheduleTime``, it is that of
  /// the nearest time inside.
  public func localTime(at time: Int64) -> LocalTime {
    let clamped = min(max(time, ScheduleTime.earliest), ScheduleTime.latest)
    let second = Int(clamped.dividedDown(by: 1000))
    return LocalTime(seconds: second + span(at: second).offset)
  }

  /// Returns the next change of the clock after `time`, both in Unix milliseconds, or `nil` if
  /// there is none.
  public func nextChange(after time: Int64) -> Int64? {
    let clamped = min(max(time, ScheduleTime.earliest), ScheduleTime.latest)
    let end = span(at: Int(clamped.dividedDown(by: 1000))).end
    return end < TimeZoneSpan.never ? Int64(end) * 1000 : nil
  }

  /// Returns the span around `instant` (Unix seconds) without a change of the clock.
  func span(at instant: Int) -> TimeZoneSpan {
    let count = starts.count
    let index = starts.withUnsafeBufferPointer { Self.countUpTo(instant, in: $0) }
    if index == count, let footer {
      return footer.span(
        at: instant, from: starts.last ?? -TimeZoneSpan.never,
        offsetBefore: Int(offsets[max(0, count - 1)]))
    }
    return TimeZoneSpan(
      start: index == 0 ? -TimeZoneSpan.never : starts[index - 1],
      end: index == count ? TimeZoneSpan.never : starts[index],
      offset: Int(offsets[index]), offsetBefore: Int(offsets[max(0, index - 1)]))
  }

  /// Returns the number of the ascending `values` that are at most `limit`.
  private static func countUpTo(_ limit: Int, in values: UnsafeBufferPointer<Int>) -> Int {
    var low = 0
    var high = values.count
    while low < high {
      let middle = (low + high) / 2
      if values[middle] <= limit { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
