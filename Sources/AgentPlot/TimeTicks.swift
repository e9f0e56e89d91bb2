internal import Glibc

/// Round times along an axis.
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
  ///   - width: how many characters the axis has.
  ///   - offset: how far the clocks of the place are ahead of UTC, in milliseconds.
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

  /// The date, as `2026-11-22`.
  static func date(_ local: Int64) -> String {
    let parts = parts(of: local)
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
  }

  /// Ticks at first days of months, with the smallest step of months whose labels fit.
  private static func months(
    from: Int64, to: Int64, width: Int
  ) -> [(time: Int64, label: String)] {
    let (first, last) = (parts(of: from), parts(of: to))
    let start = Int(first.tm_year) * 12 + Int(first.tm_mon)
    let end = Int(last.tm_year) * 12 + Int(last.tm_mon)
    let most = Int(maxLabels(like: "2026-11", in: width))
    let step = months.first { (end - start) / $0 <= most } ?? 120_000
    // tm counts years from 1900; round are those that are counted from zero.
    let epoch = 1900 * 12
    var month = (start + epoch) / step * step - epoch
    var ticks: [(time: Int64, label: String)] = []
    while month <= end {
      var parts = tm()
      parts.tm_year = Int32(month / 12)
      parts.tm_mon = Int32(month % 12)
      parts.tm_mday = 1
      let time = Int64(timegm(&parts)) * second
      let date = Self.date(time)
      if (from...to).contains(time) {
        ticks.append((time, String(date.dropLast(step >= 12 ? 6 : 3))))
      }
      month += step
    }
    return ticks
  }

  /// How many steps there may be between labels like this one; the one at the edge is moved in.
  private static func maxLabels(like label: String, in width: Int) -> Int64 {
    Int64(max(1, width / (label.count + 3) - 1))
  }

  private static func label(_ local: Int64, _ step: Int64) -> String {
    let parts = parts(of: local)
    let date = "\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    if step >= day { return date }
    let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min))"
    // Midnight is where another day begins.
    if step >= minute { return clock == "00:00" ? date : clock }
    let seconds = "\(clock):\(two(parts.tm_sec))"
    if step >= second { return seconds }
    let thousandths = (local % second + second) % second
    return "\(seconds).\(String(thousandths + 1000).dropFirst())"
  }

  private static func parts(of local: Int64) -> tm {
    var seconds = time_t(local / second - (local % second < 0 ? 1 : 0))
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return parts
  }

  private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
