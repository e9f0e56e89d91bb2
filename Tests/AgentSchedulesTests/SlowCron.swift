import AgentSchedules
import TestSupport

/// A cron expression that is made at random together with what it means, and evaluated the slow way:
/// one question a minute.
struct SlowCron {
  /// What one entry of a field says about a time.
  typealias Rule = (LocalTime) -> Bool

  var text = ""
  private var fields: [[Rule]] = []
  private var stars: [Bool] = []

  init(using random: inout SeededGenerator, isDaily: Bool = false) {
    if isDaily {
      add(text: "0", star: false) { $0.minute == 0 }
      add(text: "0", star: false) { $0.hour == 0 }
    } else {
      addNumbers(0...59, using: &random) { $0.minute }
      addNumbers(0...23, using: &random) { $0.hour }
    }
    addDays(using: &random)
    addNumbers(1...12, stars: 3, using: &random) { $0.month }
    addWeekdays(using: &random)
  }

  var isFixedTime: Bool { !stars[0] && !stars[1] }

  func matches(_ time: LocalTime) -> Bool {
    func holds(_ field: Int) -> Bool { fields[field].contains { $0(time) } }
    guard holds(0), holds(1), holds(3) else { return false }
    return stars[2] || stars[4] ? holds(2) && holds(4) : holds(2) || holds(4)
  }

  private mutating func add(text: String, star: Bool, _ rules: Rule...) {
    self.text += (self.text.isEmpty ? "" : " ") + text
    fields.append(rules)
    stars.append(star)
  }

  private mutating func addNumbers(
    _ range: ClosedRange<Int>, stars: Int = 1, using random: inout SeededGenerator,
    _ value: @escaping (LocalTime) -> Int
  ) {
    let low = Int.random(in: range, using: &random)
    let high = Int.random(in: range, using: &random)
    let step = Int.random(in: 1...7, using: &random)
    switch Int.random(in: 0..<5 + stars, using: &random) {
    case 0: add(text: "\(low)", star: false) { value($0) == low }
    case 1: add(text: "\(low),\(high)", star: false) { value($0) == low || value($0) == high }
    case 2:
      let (first, last) = (min(low, high), max(low, high))
      add(text: "\(first)-\(last)/\(step)", star: false) {
        (first...last).contains(value($0)) && (value($0) - first) % step == 0
      }
    case 3 where low > high:
      // Around the field's end.
      add(text: "\(low)-\(high)", star: false) { value($0) >= low || value($0) <= high }
    case 3:
      add(text: "\(low)/\(step)", star: false) { value($0) >= low && (value($0) - low) % step == 0 }
    case 4: add(text: "*/\(step)", star: true) { (value($0) - range.lowerBound) % step == 0 }
    default: add(text: "*", star: true) { _ in true }
    }
  }

  private mutating func addDays(using random: inout SeededGenerator) {
    let day = Int.random(in: 1...31, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: add(text: "L", star: false) { $0.day == Self.length(of: $0) }
    case 1:
      add(text: "L-\(day % 30 + 1)", star: false) { $0.day == Self.length(of: $0) - day % 30 - 1 }
    case 2: add(text: "\(day)W", star: false) { Self.nearestWorkday(to: day, in: $0) == $0.day }
    case 3:
      add(text: "LW", star: false) {
        Self.nearestWorkday(to: Self.length(of: $0), in: $0) == $0.day
      }
    case 4: add(text: "?", star: true) { _ in true }
    default: addNumbers(1...31, stars: 4, using: &random) { $0.day }
    }
  }

  private mutating func addWeekdays(using random: inout SeededGenerator) {
    let day = Int.random(in: 0...6, using: &random)
    let nth = Int.random(in: 1...5, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0:
      add(text: "\(day)L", star: false) { $0.weekday == day && $0.day + 7 > Self.length(of: $0) }
    case 1: add(text: "\(day)#\(nth)", star: false) { $0.weekday == day && ($0.day + 6) / 7 == nth }
    case 2: add(text: "\(day)-7", star: false) { $0.weekday >= day || $0.weekday == 0 }
    default: addNumbers(0...6, stars: 4, using: &random) { $0.weekday }
    }
  }

  private static func length(of time: LocalTime) -> Int {
    (28...31).last { LocalTime(year: time.year, month: time.month, day: $0) != nil } ?? 0
  }

  /// The working day of the month that is nearest.
  private static func nearestWorkday(to day: Int, in time: LocalTime) -> Int? {
    guard day <= length(of: time) else { return nil }
    let days = (1...length(of: time)).filter { day in
      let weekday = LocalTime(year: time.year, month: time.month, day: day)?.weekday ?? 0
      return (1...5).contains(weekday)
    }
    return days.min { abs($0 - day) < abs($1 - day) }
  }
}
