extension CronExpression: CustomStringConvertible {
  /// The meaning of the expression, for people: `At 02:00 on Monday`.
  public var description: String {
    let words = CronWords(expression: self)
    let text = [words.time, words.day, words.month].filter { !$0.isEmpty }.joined(separator: " ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }
}

/// Describes the sets of an expression in words.
struct CronWords {
  let expression: CronExpression

  private var hours: [Int] { Array(expression.hours.setBits) }
  private var minutes: [Int] { Array(expression.minutes.setBits) }
  private var seconds: [Int] { Array(expression.seconds.setBits) }

  /// Whether there are few enough times to name each one.
  private var isNamedTimes: Bool { minutes.count * hours.count <= 6 && seconds.count == 1 }

  /// The time of day.
  var time: String {
    if isNamedTimes {
      let second = seconds[0] == 0 ? "" : ":\(padded(seconds[0], 2))"
      let times = hours.flatMap { hour in
        minutes.map { "\(padded(hour, 2)):\(padded($0, 2))\(second)" }
      }
      return "at " + Self.list(times)
    }
    let minute = seconds == [0] ? minutePart : secondPart
    return hours.count < 24 ? "\(minute) \(hourPart)" : minute
  }

  private var secondPart: String {
    let second = Self.count(seconds, of: 60, "second")
    if minutes.count < 60 { return "\(second), \(minutePart)" }
    return second.hasPrefix("at") ? "\(second) of every minute" : second
  }

  private var minutePart: String {
    if minutes == [0], hours.count == 24 { return "every hour" }
    let minute = Self.count(minutes, of: 60, "minute")
    return hours.count == 24 && minute.hasPrefix("at") ? "\(minute) of every hour" : minute
  }

  private var hourPart: String {
    let prefix = minutes.count == 1 ? "past" : "in"
    if let step = Self.step(hours, of: 24) { return "\(prefix) every \(Self.ordinal(step)) hour" }
    return "\(prefix) \(hours.count == 1 ? "hour" : "hours") \(Self.ranges(hours) { "\($0)" })"
  }

  /// The days, with "or" between them if one of the two fields is enough.
  var day: String {
    let byMonth = monthDays
    let byWeek = weekDays
    if byMonth.isEmpty, byWeek.isEmpty {
      return isNamedTimes ? "every day" : ""
    }
    if byMonth.isEmpty || byWeek.isEmpty { return byMonth + byWeek }
    let isEither = expression.marks.isDisjoint(with: [.dayStar, .weekdayStar])
    return "\(byMonth) \(isEither ? "or" : "and only") \(byWeek)"
  }

  private var monthDays: String {
    var parts: [String] = []
    let days = Array(expression.days.setBits)
    if days.count == 31 { return "" }
    if let step = Self.step(days.map { $0 - 1 }, of: 31) {
      parts.append("every \(Self.ordinal(step)) day from day 1 of the month")
    } else if !days.isEmpty {
      parts.append(
        "\(days.count == 1 ? "day" : "days") \(Self.ranges(days) { "\($0)" }) of the month")
    }
    parts += expression.daysFromEnd.setBits.map { back in
      switch back {
      case 0: "the last day of the month"
      case 1: "the day before the last day of the month"
      default: "the \(Self.ordinal(back)) day before the last day of the month"
      }
    }
    parts += expression.nearestWeekdays.setBits.map { "the working day nearest to day \($0)" }
    if expression.marks.contains(.lastWorkday) { parts.append("the last working day of the month") }
    return "on " + Self.list(parts)
  }

  private var weekDays: String {
    var parts: [String] = []
    let days = Array(expression.weekdays.setBits)
    if days.count == 7 { return "" }
    if !days.isEmpty { parts.append(weekdayRanges(days)) }
    parts += expression.nthWeekdays.setBits.map { bit in
      let (nth, day) = bit.quotientAndRemainder(dividingBy: 7)
      return "the \(nth == 5 ? "last" : Self.ordinal(nth + 1)) \(Self.weekdays[day]) of the month"
    }
    return "on " + Self.list(parts)
  }

  /// Returns ranges of weekdays. The week begins on Monday here, so that Saturday and Sunday form a
  /// range.
  private func weekdayRanges(_ days: [Int]) -> String {
    Self.ranges(days.map { ($0 + 6) % 7 }.sorted()) { Self.weekdays[($0 + 1) % 7] }
  }

  /// The months.
  var month: String {
    let months = Array(expression.months.setBits)
    if months.count == 12 { return "" }
    return "in " + Self.ranges(months) { Self.months[$0 - 1] }
  }

  static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}
