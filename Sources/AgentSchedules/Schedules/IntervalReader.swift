/// Reads the text of an interval; see ``Interval``.
struct IntervalReader {
  private let text: String
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    self.text = text
    rest = Array(text.lowercased().utf8)[...]
  }

  mutating func milliseconds() throws(ScheduleError) -> Int64 {
    if rest.first == UInt8(ascii: "p") {
      rest.removeFirst()
      return try duration()
    }
    let units: [(name: String, length: Int64)] = [
      ("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000),
      ("ms", 1),
    ]
    return try parts(units[...])
  }

  /// Reads an ISO 8601 duration: weeks and days, then `T`, then hours, minutes and seconds.
  private mutating func duration() throws(ScheduleError) -> Int64 {
    let halves = rest.split(separator: UInt8(ascii: "t"), omittingEmptySubsequences: false)
    guard halves.count <= 2, halves.last?.isEmpty == false else { throw wrong() }
    var total: Int64 = 0
    if !halves[0].isEmpty {
      if halves[0].contains(where: { $0 == UInt8(ascii: "m") || $0 == UInt8(ascii: "y") }) {
        throw ScheduleError(
          .interval,
          "The interval \(text.debugDescription) counts months or years, which aren't all of one length. Write a cron expression, such as 0 0 1 * *."
        )
      }
      rest = halves[0]
      total = try parts([("w", 604_800_000), ("d", 86_400_000)])
    }
    if halves.count == 2 {
      rest = halves[1]
      total += try parts([("h", 3_600_000), ("m", 60_000), ("s", 1000)])
    }
    return total
  }

  /// Reads numbers with units, the largest unit first, each at most once. The sum can't overflow,
  /// because it is checked against a bound before each addition.
  private mutating func parts(
    _ units: ArraySlice<(name: String, length: Int64)>
  ) throws(ScheduleError) -> Int64 {
    var total: Int64 = 0
    var units = units
    guard !rest.isEmpty else { throw wrong() }
    while !rest.isEmpty {
      let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
      rest = rest.dropFirst(digits.count)
      let letters = rest.prefix { $0 >= 0x61 && $0 <= 0x7a }
      rest = rest.dropFirst(letters.count)
      guard !digits.isEmpty,
        let unit = units.firstIndex(where: { $0.name.utf8.elementsEqual(letters) })
      else { throw wrong() }
      guard digits.count <= 12, let count = Int64(String(decoding: digits, as: UTF8.self)) else {
        return .max / 4
      }
      total = min(total + min(count, .max / 4 / units[unit].length) * units[unit].length, .max / 4)
      units = units[(unit + 1)...]
    }
    return total
  }

  private func wrong() -> ScheduleError {
    ScheduleError(
      .interval,
      "\(text.debugDescription) isn't an interval: numbers with the units w, d, h, m, s, ms are expected, the largest first. \(Interval.examples)"
    )
  }
}
