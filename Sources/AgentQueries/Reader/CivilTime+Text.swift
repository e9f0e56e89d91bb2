/// Dates as text.
extension CivilTime {
  /// The text in ISO 8601: `2024-02-29T10:05:00.000Z`.
  var iso: String { formatted("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'") }

  /// Returns the text of a pattern. `yyyy MM dd HH mm ss SSS` stand for the parts of the date.
  /// Quoted letters and all other characters stand for themselves.
  func formatted(_ pattern: String) -> String {
    let parts: [(String, Int, Int)] = [
      ("yyyy", year, 4), ("MM", month, 2), ("dd", day, 2), ("SSS", millisecondOfDay % 1_000, 3),
      ("HH", millisecondOfDay / 3_600_000, 2), ("mm", millisecondOfDay / 60_000 % 60, 2),
      ("ss", millisecondOfDay / 1_000 % 60, 2),
    ]
    var text = ""
    var rest = pattern[...]
    while let first = rest.first {
      if first == "'" {
        rest = rest.dropFirst()
        text += rest.prefix { $0 != "'" }
        rest = rest.drop { $0 != "'" }.dropFirst()
      } else if let part = parts.first(where: { rest.hasPrefix($0.0) }) {
        let digits = String(part.1.magnitude)
        text += (part.1 < 0 ? "-" : "")
        text += String(repeating: "0", count: max(0, part.2 - digits.count)) + digits
        rest = rest.dropFirst(part.0.count)
      } else {
        text.append(first)
        rest = rest.dropFirst()
      }
    }
    return text
  }

  /// Reads `2024-02-29`, `2024-02-29 10:05`, `2024-02-29T10:05:00.5Z` or `…+02:00`. Without a zone
  /// it is UTC. Returns nil for anything else.
  static func moment(of text: String) -> Int64? {
    var reader = DigitReader(bytes: Array(text.utf8))
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
      reader.take("-"), let day = reader.number(2)
    else { return nil }
    var ofDay = 0
    var offset = 0
    if reader.take("T") || reader.take(" ") {
      guard let hour = reader.number(2), hour < 24, reader.take(":"),
        let minute = reader.number(2), minute < 60
      else { return nil }
      ofDay = (hour * 60 + minute) * 60_000
      if reader.take(":") {
        guard let second = reader.number(2), second < 60 else { return nil }
        ofDay += second * 1_000
        if reader.take(".") {
          guard let fraction = reader.fraction() else { return nil }
          ofDay += fraction
        }
      }
      guard let zone = reader.zone() else { return nil }
      offset = zone
    }
    guard reader.isAtEnd,
      let date = CivilTime(year: year, month: month, day: day, millisecondOfDay: ofDay)
    else { return nil }
    return date.milliseconds - Int64(offset)
  }
}

/// Reads digits and signs from the begin of a text.
private struct DigitReader {
  let bytes: [UInt8]
  var index = 0

  var isAtEnd: Bool { index == bytes.count }

  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: sign) else { return false }
    index += 1
    return true
  }

  mutating func digit() -> Int? {
    guard index < bytes.count, QueryReader.isDigit(bytes[index]) else { return nil }
    index += 1
    return Int(bytes[index - 1] - UInt8(ascii: "0"))
  }

  mutating func number(_ digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Returns the milliseconds. Digits after the third are ignored.
  mutating func fraction() -> Int? {
    guard var value = digit().map({ $0 * 100 }) else { return nil }
    var weight = 10
    while let digit = digit() {
      value += digit * weight
      weight /= 10
    }
    return value
  }

  /// Returns the offset from UTC in milliseconds.
  mutating func zone() -> Int? {
    if isAtEnd || take("Z") { return 0 }
    let sign = take("+") ? 1 : take("-") ? -1 : 0
    guard sign != 0, let hours = number(2), hours < 24 else { return nil }
    _ = take(":")
    guard let minutes = number(2), minutes < 60 else { return nil }
    return sign * (hours * 60 + minutes) * 60_000
  }
}
