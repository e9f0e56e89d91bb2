import AgentKit

/// How a value is written in a message.
enum ValueFormat: Equatable, Sendable {
  /// Texts as they are, numbers with as many digits as people read, the rest as JSON.
  case plain
  /// A number with so many decimals: `.2`.
  case decimals(Int)
  /// A moment in Unix milliseconds: `2026-11-22`, of UTC.
  case date
  /// A moment in Unix milliseconds: `12:05:09`, of UTC.
  case time
  /// Milliseconds: `2 min 5 s`.
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

  /// The text of a value; what isn't a number has no format.
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
      case .date: return Moment(milliseconds).date
      case .time: return Moment(milliseconds).time
      default: return Moment.duration(milliseconds)
      }
    }
  }
}

/// Numbers in decimal, without Foundation.
enum Decimals {
  /// At most three decimals, or three digits where that leaves none.
  static func short(_ number: Double) -> String {
    guard number != 0 else { return "0" }
    var places = 3
    var scaled = number.magnitude
    while scaled < 1, places < 12 {
      scaled *= 10
      places += 1
    }
    var text = fixed(number, min(places, 9))
    guard text.contains(".") else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text == "0" ? "\(number)" : text
  }

  /// With so many decimals, halves away from zero.
  static func fixed(_ number: Double, _ places: Int) -> String {
    var scale: Int64 = 1
    for _ in 0..<places { scale *= 10 }
    guard let scaled = Int64(exactly: (number.magnitude * Double(scale)).rounded()) else {
      return "\(number)"
    }
    let sign = number < 0 && scaled != 0 ? "-" : ""
    guard places > 0 else { return "\(sign)\(scaled)" }
    let decimals = String(scaled % scale)
    let zeros = String(repeating: "0", count: places - decimals.count)
    return "\(sign)\(scaled / scale).\(zeros)\(decimals)"
  }
}

/// A moment of UTC by the proleptic Gregorian calendar.
struct Moment {
  private let days: Int64
  private let seconds: Int64

  init(_ milliseconds: Int64) {
    let all = milliseconds.floored(by: 1000)
    days = all.floored(by: 86_400)
    seconds = all - days * 86_400
  }

  var time: String {
    "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }

  /// By years that begin in March, so that a leap day is the last of its year: Howard Hinnant,
  /// "chrono-Compatible Low-Level Date Algorithms", 2013.
  var date: String {
    let shifted = days + 719_468
    let era = shifted.floored(by: 146_097)
    let day = shifted - era * 146_097
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let isNextYear = month >= 10
    let name = isNextYear ? month - 9 : month + 3
    return "\(era * 400 + year + (isNextYear ? 1 : 0))-\(two(name))-"
      + two(dayOfYear - (153 * month + 2) / 5 + 1)
  }

  /// The two largest units of a length of time.
  static func duration(_ milliseconds: Int64) -> String {
    let sign = milliseconds < 0 ? "-" : ""
    var rest = milliseconds.magnitude
    if rest < 1000 { return "\(sign)\(rest) ms" }
    var parts: [String] = []
    for (unit, length) in [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000)]
      as [(String, UInt64)]
    {
      if rest >= length { parts.append("\(rest / length) \(unit)") }
      rest %= length
    }
    return sign + parts.prefix(2).joined(separator: " ")
  }

  private func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Int64 {
  /// The quotient towards minus infinity.
  fileprivate func floored(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : -((-(self + 1)) / divisor) - 1
  }
}
