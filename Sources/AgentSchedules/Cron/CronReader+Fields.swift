import AgentText

extension CronReader {
  /// Reads a field, which is a list of entries.
  mutating func read(_ word: Word, of field: CronField) throws(CronError) {
    if field == .second { result.seconds = 0 }
    if word.bytes.first == UInt8(ascii: "*") || word.text == "?" { markStar(field) }
    for entry in word.split(at: ",") {
      if entry.bytes.isEmpty { throw mistake(entry, of: field, "found a comma without a value") }
      if try readSpecial(entry, of: field) { continue }
      try readRange(entry, of: field)
    }
  }

  private mutating func markStar(_ field: CronField) {
    switch field {
    case .minute: result.marks.insert(.minuteStar)
    case .hour: result.marks.insert(.hourStar)
    case .dayOfMonth: result.marks.insert(.dayStar)
    case .dayOfWeek: result.marks.insert(.weekdayStar)
    case .second, .month: break
    }
  }

  /// Reads `*`, `5` or `5-10`, each with an optional `/step`.
  private mutating func readRange(_ entry: Word, of field: CronField) throws(CronError) {
    let parts = entry.split(at: "/")
    if parts.count > 2 { throw mistake(parts[2], of: field, "found a second step") }
    let isQuestion = parts[0].text == "?" && (field == .dayOfMonth || field == .dayOfWeek)
    let isStar = parts[0].text == "*" || (isQuestion && parts.count == 1)
    var first = field.range.lowerBound
    var last = field.range.upperBound
    if !isStar {
      let ends = parts[0].split(at: "-")
      if ends.count > 2 { throw mistake(ends[2], of: field, "found a range of more than two ends") }
      first = try number(ends[0], of: field)
      if ends.count == 2 {
        last = try number(ends[1], of: field)
      } else if parts.count == 1 {
        last = first
      }
    }
    let step = parts.count == 2 ? try step(parts[1], of: field) : 1
    insert(from: first, through: last, by: step, of: field)
  }

  /// Inserts a range. If its end lies before its start, it continues at the field's lowest value,
  /// as in Quartz: 22-2 in hours is 22, 23, 0, 1, 2. Sunday may be 7 at either end.
  private mutating func insert(
    from first: Int, through last: Int, by step: Int, of field: CronField
  ) {
    let lowest = field.range.lowerBound
    let size = field.range.count
    // 0-7 and 1-7 end on a Sunday, and 7-2 begins on a Sunday.
    let start = field == .dayOfWeek && first == 7 && last != 7 ? 0 : first
    let length = last >= start ? last - start : last - start + size
    for offset in stride(from: 0, through: length, by: step) {
      insert((start - lowest + offset) % size + lowest, of: field)
    }
  }

  private mutating func insert(_ value: Int, of field: CronField) {
    switch field {
    case .second: result.seconds |= 1 << value
    case .minute: result.minutes |= 1 << value
    case .hour: result.hours |= 1 << value
    case .dayOfMonth: result.days |= 1 << value
    case .month: result.months |= 1 << value
    case .dayOfWeek: result.weekdays |= 1 << value
    }
  }

  private func step(_ word: Word, of field: CronField) throws(CronError) -> Int {
    guard let step = digits(word) else {
      throw mistake(word, of: field, "found \(quoted(word)) as a step, which is a number")
    }
    guard step >= 1, step <= field.largest else {
      throw CronError(
        .range, field: field, column: word.column,
        "found the step \(word.text). Allowed are 1 to \(field.largest): steps restart with each "
          + "\(field.round). For other distances use an interval, such as every 90 minutes."
      )
    }
    return step
  }

  /// Reads a number of the field, or a name.
  func number(_ word: Word, of field: CronField) throws(CronError) -> Int {
    if let number = digits(word) {
      guard number >= field.range.lowerBound, number <= field.largest else {
        throw CronError(
          .range, field: field, column: word.column,
          "found \(word.text). Allowed are \(field.allowed).")
      }
      return number
    }
    if let index = field.names.firstIndex(of: word.text) { return index + field.range.lowerBound }
    throw unknown(word, of: field)
  }

  /// Reads a number without a sign. A number that overflows becomes the largest `Int`, which is
  /// outside every range.
  func digits(_ word: Word) -> Int? {
    guard !word.bytes.isEmpty, word.bytes.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      return nil
    }
    return Int(word.text) ?? .max
  }

  private func unknown(_ word: Word, of field: CronField) -> CronError {
    if word.bytes.isEmpty { return mistake(word, of: field, "a value is missing") }
    let isName = !field.names.isEmpty && word.bytes.allSatisfy { $0 >= 0x41 && $0 <= 0x5a }
    let nearest = isName ? NameSuggestion.of(word.text, among: field.names) : nil
    return CronError(
      isName ? .unknownName : .syntax, field: field, column: word.column,
      "found \(quoted(word)). Allowed are \(field.allowed)."
        + NameSuggestion.question(nearest, quote: ""))
  }

  func mistake(_ word: Word, of field: CronField, _ what: String) -> CronError {
    CronError(
      .syntax, field: field, column: word.column, "\(what). Allowed are \(field.allowed).")
  }

  func quoted(_ word: Word) -> String { word.bytes.isEmpty ? "nothing" : word.text }
}

extension CronField {
  /// The period after which the field's numbers repeat.
  var round: String {
    switch self {
    case .second: "minute"
    case .minute: "hour"
    case .hour: "day"
    case .dayOfMonth: "month"
    case .month: "year"
    case .dayOfWeek: "week"
    }
  }
}
