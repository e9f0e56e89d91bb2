extension ZoneFooter {
  /// Reads a POSIX TZ string; nil when it isn't one.
  init?(parsing text: String) {
    var reader = FooterReader(text)
    guard reader.name(), let behind = reader.time() else { return nil }
    standard = -behind
    if reader.isAtEnd {
      summer = nil
      return
    }
    guard reader.name() else { return nil }
    let offset = reader.next == "," ? -behind + 3600 : reader.time().map { -$0 }
    guard let offset, reader.take(","), let begin = reader.day(), reader.take(","),
      let end = reader.day(), reader.isAtEnd
    else { return nil }
    summer = Summer(offset: offset, begin: begin, end: end)
  }
}

private struct FooterReader {
  private var rest: Substring

  init(_ text: String) { rest = text[...] }

  var isAtEnd: Bool { rest.isEmpty }
  var next: Character? { rest.first }

  mutating func take(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  /// `CET`, or `<+03>`.
  mutating func name() -> Bool {
    if take("<") {
      guard let end = rest.firstIndex(of: ">") else { return false }
      rest = rest[rest.index(after: end)...]
      return true
    }
    let letters = rest.prefix(while: \.isLetter)
    rest = rest.dropFirst(letters.count)
    return letters.count >= 3
  }

  /// `-1`, `3:30`, `26`: hours, minutes, seconds, with a sign; in seconds.
  mutating func time() -> Int? {
    let sign = take("-") ? -1 : 1
    if sign == 1 { _ = take("+") }
    guard let hours = number(), hours <= 167 else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where take(":") {
      guard let number = number(), number < 60 else { return nil }
      seconds += number * unit
    }
    return sign * seconds
  }

  /// `M10.5.0/3`, `J60`, `59/1`.
  mutating func day() -> ZoneFooter.Day? {
    guard let form = form() else { return nil }
    guard take("/") else { return ZoneFooter.Day(form: form, time: 7200) }
    return time().map { ZoneFooter.Day(form: form, time: $0) }
  }

  private mutating func form() -> ZoneFooter.Day.Form? {
    if take("J") { return number().flatMap { (1...365).contains($0) ? .julian($0) : nil } }
    guard take("M") else { return number().flatMap { $0 <= 365 ? .day($0) : nil } }
    guard let month = number(), take("."), let week = number(), take("."), let day = number(),
      (1...12).contains(month), (1...5).contains(week), day <= 6
    else { return nil }
    return .weekday(month: month, week: week, day: day)
  }

  private mutating func number() -> Int? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(digits.count)
    return digits.count > 4 ? nil : Int(digits)
  }
}
