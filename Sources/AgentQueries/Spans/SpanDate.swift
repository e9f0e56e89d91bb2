/// A date as ISO 8601 writes it, with or without time of day and offset.
struct SpanDate {
  private let day: Int64
  private var milliseconds: Int64 = 0
  private var offset: Int64?
  private(set) var hasTime = false

  /// Nil where `text` isn't a date, such as `2026-01-31` or `2026-01-31t12:30:00z`.
  init?(_ text: String) {
    let halves = text.split(separator: "t", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = Self.digits(parts[0], 4),
      let month = Self.digits(parts[1], 2),
      let day = Self.digits(parts[2], 2), (1...12).contains(month),
      day >= 1, day <= CivilDay.days(inMonth: month, of: year)
    else { return nil }
    self.day = CivilDay.number(year: year, month: month, day: day)
    if halves.count == 2, !read(time: halves[1]) { return nil }
  }

  /// Takes the time of day, such as `12:30`, `12:30:00.250`, `12:30z` or `12:30+02:00`; false and
  /// unchanged where it isn't one.
  mutating func read(time text: Substring) -> Bool {
    guard let (clock, offset) = Self.offset(of: text) else { return false }
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hour = Self.digits(parts[0], 2), hour < 24,
      let minute = Self.digits(parts[1], 2), minute < 60,
      let seconds = parts.count == 3 ? Self.seconds(parts[2]) : 0
    else { return false }
    milliseconds = (hour * 60 + minute) * 60_000 + seconds
    self.offset = offset
    hasTime = true
    return true
  }

  /// The point in time: a moment where an offset is written, else one on the calendar.
  var edge: QuerySpan.Edge {
    let local = day * CivilDay.milliseconds + milliseconds
    return offset.map { .moment(local - $0) } ?? .local(local)
  }

  private static func offset(of text: Substring) -> (clock: Substring, offset: Int64?)? {
    if text.hasSuffix("z") { return (text.dropLast(), 0) }
    guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return (text, nil) }
    let parts = text[text.index(after: sign)...].split(separator: ":")
    guard parts.count == 2, let hours = digits(parts[0], 2), let minutes = digits(parts[1], 2)
    else { return nil }
    let offset = (hours * 60 + minutes) * 60_000
    return (text[..<sign], text[sign] == "-" ? -offset : offset)
  }

  private static func seconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let seconds = digits(parts[0], 2), seconds < 60, parts.count <= 2 else { return nil }
    guard parts.count == 2 else { return seconds * 1_000 }
    let fraction = parts[1].prefix(3) + String(repeating: "0", count: max(0, 3 - parts[1].count))
    guard let milliseconds = digits(fraction[...], 3) else { return nil }
    return seconds * 1_000 + milliseconds
  }

  private static func digits(_ text: some StringProtocol, _ count: Int) -> Int64? {
    guard text.utf8.count == count, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int64(text)
  }
}
