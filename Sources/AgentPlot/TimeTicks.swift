internal import AgentText

/// Round times along an axis, in local time.
struct TimeTicks {
  let ticks: [(time: Int64, label: String)]

  private static let second: Int64 = 1000
  private static let minute = 60 * second
  private static let hour = 60 * minute
  private static let day = 24 * hour

  private static let steps: [Int64] =
    [1, 2, 5, 10, 20, 50, 100, 200, 500]
    + [1, 2, 5, 10, 15, 30].map { $0 * second }
    + [1, 2, 5, 10, 15, 30].map { $0 * minute }
    + [1, 2, 3, 6, 12].map { $0 * hour }
    + [1, 2, 7, 14].map { $0 * day }
  private static let months = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12_000]

  /// - Parameters:
  ///   - width: the number of characters along the axis.
  ///   - offset: the offset of local time from UTC, in milliseconds.
  init(from: Int64, to: Int64, width: Int, offset: Int64) {
    let (start, end) = (from + offset, to + offset)
    let shortest = Self.steps.first { step in
      (to - from) / step <= Self.maxLabels(like: Self.label(0, step), in: width)
    }
    guard let step = shortest else {
      ticks = Self.months(from: start, to: end, width: width).map { ($0 - offset, $1) }
      return
    }
    var time = start / step * step
    if time < start { time += step }
    var ticks: [(time: Int64, label: String)] = []
    while time <= end {
      ticks.append((time - offset, Self.label(time, step)))
      time += step
    }
    self.ticks = ticks
  }

  /// Returns the date in the form `2026-11-22`.
  static func date(_ local: Int64) -> String {
    let date = civilDate(at: local)
    return "\(date.year)-\(two(date.month))-\(two(date.day))"
  }

  /// Returns ticks on the first days of months, with the smallest step whose labels fit.
  private static func months(
    from: Int64, to: Int64, width: Int
  ) -> [(time: Int64, label: String)] {
    let (first, last) = (civilDate(at: from), civilDate(at: to))
    // Months are counted from year 0, so that a step of 60 months gives ticks in 2020 and 2025.
    let start = first.year * 12 + first.month - 1
    let end = last.year * 12 + last.month - 1
    let most = Int(maxLabels(like: "2026-11", in: width))
    let step = months.first { (end - start) / $0 <= most } ?? 120_000
    var month = start / step * step
    var ticks: [(time: Int64, label: String)] = []
    while month <= end {
      let begin = CivilDate(year: month.dividedDown(by: 12), month: month.modulo(12) + 1, day: 1)
      let time = Int64(begin.dayNumber) * day
      let date = Self.date(time)
      if (from...to).contains(time) {
        ticks.append((time, String(date.dropLast(step >= 12 ? 6 : 3))))
      }
      month += step
    }
    return ticks
  }

  /// Returns the largest number of steps between labels of this length. Each label takes three
  /// blanks beside it. One label less fits, because a label at the edge is moved inwards.
  private static func maxLabels(like label: String, in width: Int) -> Int64 {
    Int64(max(1, width / (label.count + 3) - 1))
  }

  private static func label(_ local: Int64, _ step: Int64) -> String {
    let civil = civilDate(at: local)
    let date = "\(two(civil.month))-\(two(civil.day))"
    if step >= day { return date }
    let secondOfDay = Int(local.modulo(day) / second)
    let clock = "\(two(secondOfDay / 3600)):\(two(secondOfDay / 60 % 60))"
    // Midnight shows the date, because another day begins there.
    if step >= minute { return clock == "00:00" ? date : clock }
    let seconds = "\(clock):\(two(secondOfDay % 60))"
    if step >= second { return seconds }
    let thousandths = local.modulo(second)
    return "\(seconds).\(String(thousandths + 1000).dropFirst())"
  }

  private static func civilDate(at local: Int64) -> CivilDate {
    CivilDate(dayNumber: Int(local.dividedDown(by: day)))
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
