/// A moment in a text: with an offset from UTC, or in the local time of the schedule's zone.
public enum ScheduleDate: Sendable, Hashable {
  /// An instant (RFC 3339), in Unix milliseconds.
  case instant(Int64)
  /// A date and a time without a zone.
  case local(LocalTime)

  /// Reads `2026-03-29T01:00:00Z`, `2026-03-29T02:00:00.250+01:00`, or a local time:
  /// `2026-03-29T02:00`, `2026-03-29 02:00:30` or `2026-03-29` (its midnight).
  ///
  /// - Throws: ``ScheduleError`` with the allowed forms.
  public init(_ text: String) throws(ScheduleError) {
    guard let date = Self.read(text) else {
      throw ScheduleError(
        .date,
        "\(String(text.prefix(40)).debugDescription) isn't a date. Examples: 2026-03-29T01:00:00Z, 2026-03-29T02:00:00+01:00, or in the schedule's time zone 2026-03-29T02:00."
      )
    }
    self = date
  }

  /// Returns the moment in `zone`, in Unix milliseconds. For a local time that the clock skips, it
  /// is right after the jump. For one that the clock shows twice, it is the first one.
  public func time(in zone: TimeZoneRules) -> Int64 {
    switch self {
    case .instant(let time): time
    case .local(let local): zone.resolve(local).time
    }
  }

  private static func read(_ text: String) -> ScheduleDate? {
    guard text.utf8.count <= 40 else { return nil }
    var reader = Reader(rest: Array(text.utf8)[...])
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
      reader.take("-"), let day = reader.number(2)
    else { return nil }
    if reader.rest.isEmpty {
      return LocalTime(year: year, month: month, day: day).map { .local($0) }
    }
    guard reader.take("T") || reader.take("t") || reader.take(" "), let hour = reader.number(2),
      reader.take(":"), let minute = reader.number(2)
    else { return nil }
    let second = reader.take(":") ? reader.number(2) : 0
    guard let second,
      let local = LocalTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    if reader.rest.isEmpty { return .local(local) }
    guard let milliseconds = reader.fraction() else { return nil }
    // Only an instant may have a fraction. A local time has whole seconds.
    guard let offset = reader.offset(), reader.rest.isEmpty else { return nil }
    let time = Int64(local.seconds - offset) * 1000 + milliseconds
    return time >= ScheduleTime.earliest && time <= ScheduleTime.latest ? .instant(time) : nil
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func take(_ character: Character) -> Bool {
      guard let byte = character.asciiValue, rest.first == byte else { return false }
      rest.removeFirst()
      return true
    }

    mutating func number(_ count: Int) -> Int? {
      let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
      guard digits.count == count else { return nil }
      rest = rest.dropFirst(count)
      return Int(String(decoding: digits, as: UTF8.self))
    }

    /// Reads milliseconds after a dot. Returns 0 without a dot, and `nil` if no digit follows it.
    /// Further digits are dropped.
    mutating func fraction() -> Int64? {
      guard take(".") else { return 0 }
      let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty else { return nil }
      let three = String(decoding: digits.prefix(3), as: UTF8.self)
      return Int64(three + String(repeating: "0", count: 3 - three.utf8.count))
    }

    /// Reads `Z` or `+01:00` and returns seconds.
    mutating func offset() -> Int? {
      if take("Z") || take("z") { return 0 }
      let isWest = take("-")
      guard isWest || take("+"), let hours = number(2), hours <= 23, take(":"),
        let minutes = number(2), minutes <= 59
      else { return nil }
      let offset = hours * 3600 + minutes * 60
      return isWest ? -offset : offset
    }
  }
}
