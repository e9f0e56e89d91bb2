/// The format of a value in a message.
enum ValueFormat: Equatable, Sendable {
  /// Texts unchanged, numbers with few digits, other values as JSON.
  case plain
  /// A number with a fixed number of decimals: `.2`.
  case decimals(Int)
  /// The date of a moment in Unix milliseconds, in UTC: `2026-11-22`.
  case date
  /// The time of day of a moment in Unix milliseconds, in UTC: `12:05:09`.
  case time
  /// A duration in milliseconds: `2 min 5 s`.
  case duration

  init?(_ text: String) {
    switch text {
    case "date": self = .date
    case "time": self = .time
    case "duration": self = .duration
    default:
      guard text.count == 2, text.first == ".", let digit = text.last, digit.isASCII,
        let count = digit.wholeNumberValue
      else { return nil }
      self = .decimals(count)
    }
  }

  /// Returns the text of a value. Formats apply to numbers only.
  func text(of value: JSONValue) -> String {
    guard let number = value.double, number.isFinite else { return value.string ?? value.text() }
    switch self {
    case .plain:
      if value.int != nil || number.magnitude >= 1e15 { return value.text() }
      return Decimals.short(number)
    case .decimals(let count): return Decimals.fixed(number, count)
    case .date, .time, .duration:
      guard let milliseconds = Int64(exactly: number.rounded()) else { return value.text() }
      switch self {
      case .date: return CalendarMoment(milliseconds).date
      case .time: return CalendarMoment(milliseconds).time
      default: return CalendarMoment.duration(milliseconds)
      }
    }
  }
}
