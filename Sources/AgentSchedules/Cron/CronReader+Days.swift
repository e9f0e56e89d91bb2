extension CronReader {
  /// Reads an entry that only the day fields have: `L`, `L-3`, `15W` and `LW` in day of month, `5L`
  /// and `MON#2` in day of week. Returns false for other entries.
  mutating func readSpecial(_ entry: Word, of field: CronField) throws(CronError) -> Bool {
    switch field {
    case .dayOfMonth: try readMonthSpecial(entry)
    case .dayOfWeek: try readWeekSpecial(entry)
    case .second, .minute, .hour, .month: false
    }
  }

  private mutating func readMonthSpecial(_ entry: Word) throws(CronError) -> Bool {
    let text = entry.text
    if text == "L" {
      result.daysFromEnd |= 1
    } else if text == "LW" || text == "WL" {
      result.marks.insert(.lastWorkday)
    } else if text.hasPrefix("L-") {
      let word = entry.dropping(first: 2)
      guard let days = digits(word), (1...30).contains(days) else {
        throw mistake(
          word, of: .dayOfMonth, "found \(quoted(word)) after L-; 1 to 30 is allowed")
      }
      result.daysFromEnd |= 1 << days
    } else if text.hasSuffix("W") {
      let word = entry.dropping(last: 1)
      guard let day = digits(word), (1...31).contains(day) else {
        throw mistake(
          word, of: .dayOfMonth, "found \(quoted(word)) before W; 1 to 31 is allowed")
      }
      result.nearestWeekdays |= 1 << day
    } else {
      return false
    }
    return true
  }

  private mutating func readWeekSpecial(_ entry: Word) throws(CronError) -> Bool {
    let parts = entry.split(at: "#")
    if parts.count == 2 {
      let day = try number(parts[0], of: .dayOfWeek) % 7
      guard let nth = digits(parts[1]), (1...5).contains(nth) else {
        throw mistake(
          parts[1], of: .dayOfWeek, "found \(quoted(parts[1])) after #; 1 to 5 is allowed")
      }
      result.nthWeekdays |= 1 << ((nth - 1) * 7 + day)
      return true
    }
    if entry.text == "L" {
      throw mistake(
        entry, of: .dayOfWeek, "found L alone: which day's last? Write 5L for the last Friday")
    }
    // No name of a weekday ends in L, so this entry is a number and `L`, or a name and `L`.
    guard entry.text.hasSuffix("L") else { return false }
    let day = try number(entry.dropping(last: 1), of: .dayOfWeek) % 7
    result.nthWeekdays |= 1 << (5 * 7 + day)
    return true
  }
}
