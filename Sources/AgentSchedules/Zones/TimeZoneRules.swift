internal import AgentText

/// A time zone: when its clock was and will be set, and by how much.
///
/// It is read from a TZif file by ``TimeZoneDatabase``, which hands out one object a zone, so that
/// any number of schedules share it.
public final class TimeZoneRules: Sendable, CustomStringConvertible {
  /// Coordinated Universal Time, which needs no file.
  public static let utc = TimeZoneRules(
    name: "UTC", starts: [], offsets: [0], footer: nil)

  /// Its name, such as `Europe/Berlin`.
  public let name: String
  /// When the clock was set, in Unix seconds, ascending.
  let starts: [Int]
  /// The offsets: one before the first start, and one from each.
  let offsets: [Int32]
  /// What holds from the last start on.
  let footer: PosixTimeZone?

  init(name: String, starts: [Int], offsets: [Int32], footer: PosixTimeZone?) {
    self.name = name
    self.starts = starts
    self.offsets = offsets
    self.footer = footer
  }

  /// Reads the contents of a TZif file (RFC 8536, versions 1 to 4).
  ///
  /// - Throws: ``TimeZoneError`` for whatever isn't such a file.
  public convenience init(name: String, file: [UInt8]) throws(TimeZoneError) {
    var reader = TimeZoneFileReader(file)
    let table = try reader.table(of: name)
    self.init(name: name, starts: table.starts, offsets: table.offsets, footer: table.footer)
  }

  /// Its name.
  public var description: String { name }

  /// How far the wall is ahead of UTC at `time` (Unix milliseconds), in seconds.
  public func offset(at time: Int64) -> Int {
    let clamped = min(max(time, ScheduleTime.earliest), ScheduleTime.latest)
    return span(at: Int(clamped.dividedDown(by: 1000))).offset
  }

  /// What the wall shows at `time` (Unix milliseconds); outside of ``ScheduleTime``, what it shows
  /// at the nearest time inside.
  public func localTime(at time: Int64) -> LocalTime {
    let clamped = min(max(time, ScheduleTime.earliest), ScheduleTime.latest)
    let second = Int(clamped.dividedDown(by: 1000))
    return LocalTime(seconds: second + span(at: second).offset)
  }

  /// When the clock is next set after `time`, both Unix milliseconds; nil when it never is.
  public func nextChange(after time: Int64) -> Int64? {
    let clamped = min(max(time, ScheduleTime.earliest), ScheduleTime.latest)
    let end = span(at: Int(clamped.dividedDown(by: 1000))).end
    return end < TimeZoneSpan.never ? Int64(end) * 1000 : nil
  }

  /// The stretch around `instant` (Unix seconds) in which the clock isn't set.
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

  /// How many of the ascending `values` are at most `limit`.
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
