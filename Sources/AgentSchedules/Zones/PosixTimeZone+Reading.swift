internal import AgentText

extension PosixTimeZone {
  /// Reads a TZ string. Returns `nil` if it is invalid.
  init?(_ text: ArraySlice<UInt8>) {
    var reader = Reader(rest: text)
    guard reader.name(), let west = reader.time(atMost: 24) else { return nil }
    standard = -west
    if reader.rest.isEmpty { return }
    guard reader.name() else { return nil }
    var offset = standard + 3600
    if let next = reader.rest.first, next != UInt8(ascii: ",") {
      guard let west = reader.time(atMost: 24) else { return nil }
      offset = -west
    }
    guard let begins = reader.change(), let ends = reader.change(), reader.rest.isEmpty else {
      return nil
    }
    saving = Saving(offset: offset, begins: begins, ends: ends)
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func take(_ character: Character) -> Bool {
      guard let byte = character.asciiValue, rest.first == byte else { return false }
      rest.removeFirst()
      return true
    }

    /// Reads at most three digits. No valid number is longer.
    mutating func number(_ range: ClosedRange<Int>) -> Int? {
      var value = 0
      var count = 0
      while let digit = rest.first, digit >= 0x30, digit <= 0x39, count < 4 {
        value = value * 10 + Int(digit - 0x30)
        count += 1
        rest.removeFirst()
      }
      return count > 0 && range.contains(value) ? value : nil
    }

    /// Reads a name: at least three letters, or letters, digits and signs between `<` and `>`.
    mutating func name() -> Bool {
      let isQuoted = take("<")
      var count = 0
      while let byte = rest.first {
        let isOther = byte.isASCIIDigit || byte == 0x2b || byte == 0x2d
        guard byte.isASCIILetter || isQuoted && isOther else { break }
        count += 1
        rest.removeFirst()
      }
      return count >= 3 && (!isQuoted || take(">"))
    }

    /// Reads `[+-]hh[:mm[:ss]]` and returns seconds.
    mutating func time(atMost hours: Int) -> Int? {
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      guard var seconds = number(0...hours) else { return nil }
      seconds *= 3600
      for unit in [60, 1] where take(":") {
        guard let value = number(0...59) else { return nil }
        seconds += value * unit
      }
      return isNegative ? -seconds : seconds
    }

    /// Reads `,M3.5.0`, `,J60` or `,59`, with an optional `/time`.
    mutating func change() -> Change? {
      guard take(","), let day = day() else { return nil }
      var change = Change(day: day)
      if take("/") {
        guard let time = time(atMost: 167) else { return nil }
        change.time = time
      }
      return change
    }

    private mutating func day() -> Change.Day? {
      if take("M") {
        guard let month = number(1...12), take("."), let week = number(1...5), take("."),
          let weekday = number(0...6)
        else { return nil }
        return .weekday(month: month, week: week, weekday: weekday)
      }
      if take("J") { return number(1...365).map { .withoutLeapDay($0) } }
      return number(0...365).map { .withLeapDay($0) }
    }
  }
}
